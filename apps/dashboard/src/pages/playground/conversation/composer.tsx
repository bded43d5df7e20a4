import { Braces, Wrench } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../components/button.tsx'
import type { Column } from '../columns.ts'
import { PromptCard } from '../prompt-card.tsx'
import { AttachButton } from './attach-button.tsx'
import { type AttachedImage, imageCharacters, newId } from './conversation.ts'
import { FormatDialog } from './format-dialog.tsx'
import { ImageList } from './image-list.tsx'
import { lackOf } from './obstacle.ts'
import { readImages } from './read-images.ts'
import { ToolsDialog } from './tools-dialog.tsx'
import type { ConversationControl } from './use-conversation.ts'

export interface ComposerProps {
  readonly columns: readonly Column[]
  readonly control: ConversationControl
  readonly prompt: string
  readonly running: boolean
  /** Why nothing can run. */
  readonly obstacle: string | undefined
  onChange(prompt: string): void
  onRun(): void
  onStop(): void
}

/** The next message, with its images, and the tools and the format of the answer. */
export function Composer({ columns, control, prompt, running, obstacle, onChange, onRun, onStop }: ComposerProps) {
  const { conversation, change } = control
  const { tools, format, images, turns } = conversation
  const [shown, setShown] = useState<'tools' | 'format'>()
  const [problems, setProblems] = useState<readonly string[]>([])
  const noVision = lackOf(columns, 'vision')
  const noTools = lackOf(columns, 'tools')
  const unstructured = columns.find(({ choice }) => choice?.traits?.structured === false)?.choice?.traits?.id
  const [first] = columns

  function attach(added: readonly AttachedImage[], issues: readonly string[] = []) {
    setProblems(issues)
    if (added.length > 0) change({ images: [...images, ...added] })
  }

  async function attachFiles(files: readonly File[]) {
    if (noVision) return attach([], [noVision])
    const { images: added, problems: issues } = await readImages(files, imageCharacters(conversation))
    attach(added, issues)
  }

  return (
    <>
      <PromptCard
        mode="text"
        prompt={prompt}
        placeholder={turns.a.length > 0 ? 'Continue the conversation' : undefined}
        issue={first?.issues.get('prompt')}
        running={running}
        obstacle={obstacle}
        onChange={onChange}
        onRun={onRun}
        onStop={onStop}
        onFiles={(files) => void attachFiles(files)}
        attachments={
          (images.length > 0 || problems.length > 0) && (
            <div className="flex flex-col gap-2">
              {images.length > 0 && (
                <ImageList
                  images={images}
                  onRemove={(id) => change({ images: images.filter((image) => image.id !== id) })}
                />
              )}
              {problems.length > 0 && (
                <ul role="alert" className="text-xs text-danger">
                  {problems.map((problem) => (
                    <li key={problem}>{problem}</li>
                  ))}
                </ul>
              )}
            </div>
          )
        }
        tools={
          <>
            <AttachButton
              unavailable={noVision}
              onFiles={(files) => void attachFiles(files)}
              onUrl={(url) => attach([{ id: newId(), url }])}
            />
            <Button
              variant="ghost"
              className="px-2!"
              // Tools that another model had can still be removed.
              disabled={noTools !== undefined && tools.length === 0}
              title={noTools}
              onClick={() => setShown('tools')}
            >
              <Wrench aria-hidden className="size-4" />
              {tools.length === 0 ? 'Tools' : `Tools: ${tools.length}`}
            </Button>
            <Button variant="ghost" className="px-2!" onClick={() => setShown('format')}>
              <Braces aria-hidden className="size-4" />
              {format === undefined ? 'Text' : format.type === 'json' ? 'JSON' : 'JSON schema'}
              <span className="sr-only"> format</span>
            </Button>
          </>
        }
      />
      <ToolsDialog
        open={shown === 'tools'}
        onOpenChange={(open) => setShown(open ? 'tools' : undefined)}
        conversation={conversation}
        onChange={change}
      />
      <FormatDialog
        open={shown === 'format'}
        onOpenChange={(open) => setShown(open ? 'format' : undefined)}
        format={format}
        note={
          unstructured &&
          `${unstructured} has no such setting: it is asked in words, its answer is checked, and asked for once more if it is not valid.`
        }
        issue={first?.issues.get('response_format')}
        onChange={(next) => change({ format: next })}
      />
    </>
  )
}
