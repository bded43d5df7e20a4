import { formatDateTime, formatRelative } from '../format.ts'

/** A time in relation to now, with the exact time on hover. */
export function TimeAgo({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={formatDateTime(at)}>
      {formatRelative(at)}
    </time>
  )
}
