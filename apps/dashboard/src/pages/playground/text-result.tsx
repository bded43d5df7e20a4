import { useEffect, useRef } from 'react'
import { CopyButton } from '../../components/copy-button.tsx'

export interface TextResultProps {
  /** Read by screen readers. */
  readonly label: string
  readonly text: string
  readonly running: boolean
}

const followingDistance = 100

export function TextResult({ label, text, running }: TextResultProps) {
  const region = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = region.current
    if (!running || !element) return
    // Follows the text, unless someone has scrolled up to read.
    const distance = element.scrollHeight - element.clientHeight - element.scrollTop
    if (distance < followingDistance) element.scrollTop = element.scrollHeight
  }, [running, text])
  return (
    <div className="relative min-h-16 min-w-0">
      <div
        ref={region}
        role="region"
        tabIndex={0}
        aria-label={label}
        aria-busy={running}
        className="max-h-[60dvh] overflow-y-auto pr-9 text-base leading-6 break-words whitespace-pre-wrap"
      >
        {text}
        {running && (
          <span aria-hidden className="ml-0.5 inline-block h-4 w-1.5 animate-pulse rounded-sm bg-accent align-middle" />
        )}
      </div>
      {!running && text !== '' && (
        <div className="absolute -top-1 right-0">
          <CopyButton text={text} label="Copy the text" />
        </div>
      )}
    </div>
  )
}
