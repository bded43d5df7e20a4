import { Badge } from '../../components/badge.tsx'

export interface EventBadgesProps {
  readonly events: readonly string[]
  /** Default: all are shown. */
  readonly max?: number | undefined
}

/** The event types that a webhook receives. */
export function EventBadges({ events, max = events.length }: EventBadgesProps) {
  const hidden = events.slice(max)
  return (
    <span className="flex flex-wrap items-center gap-1">
      {events.slice(0, max).map((event) => (
        <Badge key={event}>
          <code className="font-mono">{event === '*' ? 'all events' : event}</code>
        </Badge>
      ))}
      {hidden.length > 0 && (
        <span className="inline-flex" title={hidden.join(', ')}>
          <Badge>+{hidden.length}</Badge>
        </span>
      )}
    </span>
  )
}
