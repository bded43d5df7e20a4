import { useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { Braces, Wrench } from '../../../components/icons.tsx'
import { formatBytes } from '../../../format.ts'
import type { Column } from '../columns.ts'
import { PromptCard } from '../prompt-card.tsx'
import { AttachButton } from './attach-button.tsx'
import { AttachmentList } from './attachment-list.tsx'
import { attachedCharacters, type Attachment, maxAttachedCharacters, newId } from './conversation.ts'
import { FormatDialog } from './format-dialog.tsx'
import { findLack } from './obstacle.ts'
import { readFiles } from './read-files.ts'
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

/** The next message, with its attachments, and the tools and the format of the answer. */
export function Composer({ columns, control, prompt, running, obstacle, onChange, onRun, onStop }: ComposerProps) {
  const { conversation, change } = control
  const { tools, format, attachments, turns } = conversation
  const [shown, setShown] = useState<'tools' | 'format'>()
  const [refused, setRefused] = useState<{ readonly turns: typeof turns; readonly reasons: readonly string[] }>()
  // A message that was sent leaves the files behind that could not be attached to it.
  const problems = refused?.turns === turns ? refused.reasons : []
  const noVision = findLack(columns, 'vision')
  const noTools = findLack(columns, 'tools')
  const unstructured = columns.find(({ choice }) => choice?.traits?.structured === false)?.choice?.traits?.id
  const [first] = columns
  const used = attachments.length > 0 ? attachedCharacters(conversation) : 0

  function attach(added: readonly Attachment[], reasons: readonly string[] = []) {
    setRefused({ turns, reasons })
    if (added.length > 0) change({ attachments: [...attachments, ...added] })
  }

  async function attachFiles(files: readonly File[]) {
    if (noVision) return attach([], [noVision])
    const { attachments: added, problems: issues } = await readFiles(files, attachedCharacters(conversation))
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
          (attachments.length > 0 || problems.length > 0) && (
            <div className="flex flex-col gap-2">
              {attachments.length > 0 && (
                <AttachmentList
                  attachments={attachments}
                  onRemove={(id) => change({ attachments: attachments.filter((each) => each.id !== id) })}
                />
              )}
              {used > 0 && (
                <p className="tabular text-xs text-muted">
                  The attachments have {formatBytes(used)} in base64, of {formatBytes(maxAttachedCharacters)} at most.
                </p>
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
              onUrl={(url, mediaType) => attach([{ id: newId(), url, mediaType }])}
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
