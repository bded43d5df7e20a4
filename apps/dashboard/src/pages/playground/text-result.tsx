import { useEffect } from 'react'
import { Markdown } from '../../components/markdown/markdown.tsx'
import { useThrottled } from './use-throttled.ts'

export interface TextResultProps {
  /** Read by screen readers. */
  readonly label: string
  readonly text: string
  readonly running: boolean
  /** Shows the text as the model wrote it, without formatting. */
  readonly raw: boolean
}

const followingDistance = 160
const updateMs = 80

export function TextResult({ label, text, running, raw }: TextResultProps) {
  const throttled = useThrottled(text, updateMs)
  const shown = running ? throttled : text
  useEffect(() => {
    if (!running) return
    // Follows the text, unless someone has scrolled up to read.
    const { scrollHeight, clientHeight, scrollTop } = document.documentElement
    if (scrollHeight - clientHeight - scrollTop < followingDistance) window.scrollTo({ top: scrollHeight })
  }, [running, shown])
  return (
    <div className="min-w-0">
      <div role="region" aria-label={label} aria-busy={running} className="min-h-7 text-base leading-6 break-words">
        {raw ? (
          <div className={running ? 'typing' : undefined}>
            <p className="font-mono text-sm whitespace-pre-wrap">{shown}</p>
          </div>
        ) : (
          <Markdown text={shown} streaming={running} />
        )}
      </div>
    </div>
  )
}
