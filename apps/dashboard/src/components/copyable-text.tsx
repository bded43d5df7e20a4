import { CopyButton } from './copy-button.tsx'

export interface CopyableTextProps {
  readonly text: string
  /** Names the text for screen readers, such as `webhook id`. */
  readonly label: string
}

/** An id or a URL, cut off if it is long, with a button that copies all of it. */
export function CopyableText({ text, label }: CopyableTextProps) {
  return (
    <span className="flex min-w-0 items-center gap-1">
      <code className="truncate font-mono text-xs" title={text}>
        {text}
      </code>
      <span className="-my-1 shrink-0">
        <CopyButton text={text} label={`Copy the ${label}`} />
      </span>
    </span>
  )
}
