import { CopyButton } from './copy-button.tsx'

export interface CodeBlockProps {
  readonly code: string
  /** Read by screen readers, such as `curl command`. */
  readonly label: string
  /** Default: false. */
  readonly wrap?: boolean | undefined
  /** Called when the reader copies the code or a part of it. */
  readonly onCopy?: (() => void) | undefined
}

export function CodeBlock({ code, label, wrap = false, onCopy }: CodeBlockProps) {
  return (
    <div className="relative min-w-0 rounded-lg border border-line bg-sunken">
      <pre
        tabIndex={0}
        role="region"
        aria-label={label}
        onCopy={onCopy}
        className={`max-h-96 overflow-auto rounded-lg p-3 pr-12 font-mono text-xs leading-5 ${wrap ? 'break-all whitespace-pre-wrap' : ''}`}
      >
        <code>{code}</code>
      </pre>
      <div className="absolute top-1.5 right-1.5 rounded-md bg-sunken">
        <CopyButton text={code} label={`Copy the ${label}`} onCopy={onCopy} />
      </div>
    </div>
  )
}
