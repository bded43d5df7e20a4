import { type ReactNode, useId, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { classNames } from '../../components/class-names.ts'
import { IconButton } from '../../components/icon-button.tsx'
import { History, Play, Square } from '../../components/icons.tsx'
import { Menu } from '../../components/menu.tsx'
import { formatNumber } from '../../format.ts'
import type { Mode } from './playground-state.ts'
import { recentPrompts } from './recent-prompts.ts'

export interface PromptCardProps {
  readonly mode: Mode
  readonly prompt: string
  readonly issue: string | undefined
  readonly running: boolean
  /** Why the prompt cannot run. */
  readonly obstacle: string | undefined
  /** Default: the mode's placeholder. */
  readonly placeholder?: string | undefined
  /** The attachments of the prompt. */
  readonly attachments?: ReactNode | undefined
  /** Buttons beside the prompt. */
  readonly tools?: ReactNode | undefined
  /** Receives files that are pasted or dropped. */
  onFiles?: ((files: readonly File[]) => void) | undefined
  onChange(prompt: string): void
  onRun(): void
  onStop(): void
}

const labels: Readonly<Record<Mode, string>> = { text: 'Prompt', image: 'Prompt', analysis: 'Text' }

const placeholders: Readonly<Record<Mode, string>> = {
  text: 'Ask for a text, such as: Write a haiku about rain',
  image: 'Describe an image, such as: a lighthouse on a cliff at sunset',
  analysis: 'Enter a text to analyze',
}

const maxLabelLength = 60
const isMac = navigator.platform.startsWith('Mac')

export function PromptCard(props: PromptCardProps) {
  const { mode, prompt, issue, running, obstacle, onFiles, onChange, onRun, onStop } = props
  const id = useId()
  const recent = recentPrompts(mode)
  const [dragged, setDragged] = useState(false)
  const blocked = !running && obstacle !== undefined
  return (
    <section
      aria-label={labels[mode]}
      onDragOver={(event) => {
        if (!onFiles || !event.dataTransfer.types.includes('Files')) return
        event.preventDefault()
        setDragged(true)
      }}
      onDragLeave={() => setDragged(false)}
      onDrop={(event) => {
        setDragged(false)
        if (!onFiles || event.dataTransfer.files.length === 0) return
        event.preventDefault()
        onFiles([...event.dataTransfer.files])
      }}
      className={classNames(
        'rounded-lg border bg-surface shadow-sm focus-within:border-accent',
        dragged ? 'border-accent ring-2 ring-accent' : 'border-line',
      )}
    >
      <label htmlFor={id} className="block px-4 pt-3 text-sm font-medium">
        {labels[mode]}
      </label>
      <textarea
        id={id}
        value={prompt}
        placeholder={props.placeholder ?? placeholders[mode]}
        aria-invalid={issue !== undefined || undefined}
        aria-describedby={`${id}-note`}
        onChange={(event) => onChange(event.target.value)}
        onPaste={(event) => {
          if (!onFiles || event.clipboardData.files.length === 0) return
          event.preventDefault()
          onFiles([...event.clipboardData.files])
        }}
        className={classNames(
          'field-sizing-content max-h-[40dvh] w-full resize-none bg-transparent px-4 py-1.5 text-base leading-6 outline-none',
          mode === 'text' ? 'min-h-14' : 'min-h-20',
        )}
      />
      {props.attachments && <div className="px-4 pt-1 pb-3">{props.attachments}</div>}
      <div className="flex flex-wrap items-center gap-1 px-2 pb-2">
        {props.tools}
        {recent.length > 0 && (
          <Menu
            align="start"
            trigger={<IconButton icon={History} label="Recent prompts" />}
            items={recent.map((text) => ({ label: shortened(text), onSelect: () => onChange(text) }))}
          />
        )}
        <p
          id={`${id}-note`}
          className={`tabular mr-auto pl-2 text-xs max-sm:order-first max-sm:basis-full max-sm:pb-1 ${issue === undefined ? 'text-muted' : 'text-danger'}`}
        >
          {issue === undefined
            ? (!running && obstacle) ||
              `${formatNumber(prompt.length)} ${prompt.length === 1 ? 'character' : 'characters'}`
            : `${labels[mode]} ${issue}`}
        </p>
        {/* One button, so that the focus stays when a run begins. */}
        <Button
          variant={running ? 'secondary' : 'primary'}
          aria-disabled={blocked || undefined}
          aria-describedby={blocked ? `${id}-note` : undefined}
          onClick={running ? onStop : onRun}
          className={classNames('ml-auto', blocked && 'opacity-50')}
        >
          {running ? <Square aria-hidden className="size-3.5" /> : <Play aria-hidden className="size-3.5" />}
          {running ? 'Stop' : 'Run'}
          {!running && (
            <kbd aria-hidden className="font-sans text-2xs opacity-80 max-sm:hidden">
              {isMac ? '⌘↵' : 'Ctrl ↵'}
            </kbd>
          )}
        </Button>
      </div>
    </section>
  )
}

function shortened(text: string): string {
  return text.length <= maxLabelLength ? text : `${text.slice(0, maxLabelLength)}…`
}
