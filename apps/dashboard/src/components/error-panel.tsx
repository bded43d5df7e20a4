import { toApiError } from '../api/api-error.ts'
import { Button } from './button.tsx'
import { CopyButton } from './copy-button.tsx'
import { CircleAlert, RotateCw } from './icons.tsx'

export interface ErrorPanelProps {
  /** The error of a query or mutation. */
  readonly error: unknown
  onRetry?: (() => void) | undefined
}

/** A failure with its message, the fields at fault, and the request id for the log. */
export function ErrorPanel({ error, onRetry }: ErrorPanelProps) {
  const { code, message, requestId, fields } = toApiError(error)
  const others = [...fields].filter(([field, issue]) => !message.includes(`${field} ${issue}`))
  return (
    <div role="alert" className="flex items-start gap-2.5 rounded-lg border border-danger/30 bg-danger-soft p-3">
      <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-danger" />
      <div className="min-w-0 flex-1 text-sm">
        <p className="font-medium break-words text-fg">{message}</p>
        {others.length > 0 && (
          <ul className="mt-1 list-inside list-disc text-muted">
            {others.map(([field, issue]) => (
              <li key={field}>
                <code className="font-mono text-xs">{field}</code> {issue}
              </li>
            ))}
          </ul>
        )}
        <p className="mt-1 flex flex-wrap items-center gap-x-1 text-xs text-muted">
          <span>{code}</span>
          {requestId !== undefined && (
            <>
              <span aria-hidden>·</span>
              <code className="font-mono break-all">{requestId}</code>
              <CopyButton text={requestId} label="Copy the request id" />
            </>
          )}
        </p>
      </div>
      {onRetry && (
        <Button size="sm" onClick={onRetry}>
          <RotateCw aria-hidden className="size-3.5" />
          Retry
        </Button>
      )}
    </div>
  )
}
