import { formatDateTime, formatRelative } from '../format.ts'
import { useNow } from '../now.ts'

/** A time in relation to now, with the exact time on hover. It moves. */
export function TimeAgo({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={formatDateTime(at)}>
      {formatRelative(at, useNow())}
    </time>
  )
}
