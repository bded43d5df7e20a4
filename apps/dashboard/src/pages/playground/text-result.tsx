import { Code } from 'lucide-react'
import { useEffect } from 'react'
import { CopyButton } from '../../components/copy-button.tsx'
import { IconButton } from '../../components/icon-button.tsx'
import { Markdown } from '../../components/markdown/markdown.tsx'
import { useThrottled } from './use-throttled.ts'

export interface TextResultProps {
  /** Read by screen readers. */
  readonly label: string
  readonly text: string
  readonly running: boolean
  /** Shows the text as the model wrote it, without formatting. */
  readonly raw: boolean
  onRawChange(raw: boolean): void
}

const followingDistance = 160
const updateMs = 80

export function TextResult({ label, text, running, raw, onRawChange }: TextResultProps) {
  const throttled = useThrottled(text, updateMs)
  const shown = running ? throttled : text
  useEffect(() => {
    if (!running) return
    // Follows the text, unless someone has scrolled up to read.
    const { scrollHeight, clientHeight, scrollTop } = document.documentElement
    if (scrollHeight - clientHeight - scrollTop < followingDistance) window.scrollTo({ top: scrollHeight })
  }, [running, shown])
  return (
    <div className="relative min-w-0">
      <div
        role="region"
        aria-label={label}
        aria-busy={running}
        className="min-h-7 pr-18 text-base leading-6 break-words"
      >
        {raw ? (
          <div className={running ? 'typing' : undefined}>
            <p className="font-mono text-sm whitespace-pre-wrap">{shown}</p>
          </div>
        ) : (
          <Markdown text={shown} streaming={running} />
        )}
      </div>
      <div className="absolute -top-1 right-0 flex items-center">
        <IconButton
          icon={Code}
          size="sm"
          label="Show the raw text"
          aria-pressed={raw}
          onClick={() => onRawChange(!raw)}
          className="aria-pressed:bg-accent-soft aria-pressed:text-accent"
        />
        {!running && text !== '' && <CopyButton text={text} label="Copy the text" />}
      </div>
    </div>
  )
}
