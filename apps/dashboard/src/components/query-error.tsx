import { toApiError } from '../api/api-error.ts'
import { Button } from './button.tsx'
import { ErrorPanel } from './error-panel.tsx'
import { RotateCw } from './icons.tsx'

export interface QueryErrorProps {
  readonly query: { readonly data: unknown; readonly error: unknown; refetch(): unknown }
}

/** The failure of a query: in place of its data, or as a notice while the data of an earlier request is shown. */
export function QueryError({ query }: QueryErrorProps) {
  const { data, error } = query
  if (!error) return null
  const retry = () => void query.refetch()
  return data === undefined ? (
    <ErrorPanel error={error} onRetry={retry} />
  ) : (
    <RefreshError error={error} onRetry={retry} />
  )
}

export interface RefreshErrorProps {
  /** The error of the refresh. */
  readonly error: unknown
  onRetry?: (() => void) | undefined
}

/** Says that what is shown may be outdated. */
export function RefreshError({ error, onRetry }: RefreshErrorProps) {
  return (
    <div role="status" className="flex min-h-7 flex-wrap items-center gap-x-3 gap-y-1 text-xs text-warning">
      <span>Not refreshed. {toApiError(error).message}</span>
      {onRetry && (
        <Button size="sm" onClick={onRetry}>
          <RotateCw aria-hidden className="size-3.5" />
          Retry
        </Button>
      )}
    </div>
  )
}
