import { type Caller, type EventType, FairleadError } from '@fairlead/core'
import { authorize } from '@fairlead/core/feature'
import { matchesPattern } from './event-pattern.ts'
import type { WebhookRow } from '../webhook-store.ts'

type Scoped = Pick<EventType, 'type' | 'scope'>

/**
 * The event types that match a pattern and that the caller's scopes allow; undefined if they allow all of them. Throws
 * `FORBIDDEN` if they allow none.
 *
 * @param pattern default: all event types
 */
export function allowedTypes(
  caller: Caller,
  eventTypes: readonly Scoped[],
  pattern = '*',
): readonly string[] | undefined {
  const matching = eventTypes.filter(({ type }) => matchesPattern(type, pattern))
  const allowed = matching.filter((event) => mayRead(caller, event))
  if (allowed.length === matching.length) return undefined
  if (allowed.length === 0 && pattern !== '*') for (const scope of listScopes(matching)) authorize(caller, { scope })
  return allowed.map(({ type }) => type)
}

/** Whether the scopes of the caller allow events of this type. Unknown types, of a removed feature, need all scopes. */
export function mayReadType(caller: Caller, eventTypes: readonly Scoped[], type: string): boolean {
  const known = eventTypes.find((each) => each.type === type)
  return known ? mayRead(caller, known) : eventTypes.every((event) => mayRead(caller, event))
}

function mayRead(caller: Caller, { scope }: Scoped): boolean {
  return scope === undefined || caller.kind !== 'account' || caller.scopes.includes(scope)
}

function listScopes(events: readonly Scoped[]) {
  return [...new Set(events.flatMap(({ scope }) => scope ?? []))]
}

/**
 * Throws `FORBIDDEN` if a webhook would send events to a URL that the caller's scopes do not allow. Patterns that the same
 * URL received before are not checked again.
 */
export function checkWebhookScopes(
  caller: Caller,
  eventTypes: readonly Scoped[],
  after: Pick<WebhookRow, 'url' | 'events' | 'allUsers'>,
  before?: WebhookRow,
): void {
  const isSameTarget = before && before.url === after.url && (before.allUsers || !after.allUsers)
  const issues = after.events.flatMap((pattern, index) => {
    if (isSameTarget && before.events.includes(pattern)) return []
    const forbidden = eventTypes.filter((event) => matchesPattern(event.type, pattern) && !mayRead(caller, event))
    if (forbidden.length === 0) return []
    const issue = `needs scopes that your credential lacks: ${listScopes(forbidden).join(', ')}`
    return [{ field: `events[${index}]`, issue }]
  })
  const [first] = issues
  if (first) throw new FairleadError('FORBIDDEN', `${first.field} ${first.issue}`, { issues })
}
