import * as z from 'zod'
import type { Account } from '../access.ts'
import type { Clock } from '../clock.ts'
import type { Limits } from '../run/envelope.ts'
import { createEvent, defineEvent, type EventRow, type EventSink } from '../events/event-type.ts'
import { instant, namedObject } from '../schema/field-schemas.ts'
import type { NewId } from '../id.ts'
import type { Log } from '../log.ts'
import { lruCache } from '../lru-cache.ts'
import { type QuotaMark, toPeriod } from './quota.ts'
import type { RuntimeStores } from '../stores/stores.ts'

const quotaStatus = namedObject('QuotaStatus', 'The monthly quota of an API key, or of a user’s sessions.', {
  id: z
    .string()
    .describe('Id of the API key, or of the user for the quota of all their sessions, or of all their keys.'),
  userId: z.string().describe('Id of the user.'),
  keyId: z.string().nullable().describe('Id of the API key. Null for the quota of a user.'),
  limit: z.int().describe('Requests per month.'),
  used: z.int().describe('Requests so far this month, including those in progress.'),
  period: z.string().describe('Month in UTC, as `YYYY-MM`.'),
  resetAt: instant.describe('When the quota resets.'),
})

const example: z.output<typeof quotaStatus> = {
  id: 'key_2144006262568942337108473209784351112',
  userId: 'usr_2144006262569533826222110534494264869',
  keyId: 'key_2144006262568942337108473209784351112',
  limit: 1_000,
  used: 800,
  period: '2026-03',
  resetAt: '2026-04-01T00:00:00.000Z',
}

const shared = { scope: 'usage', version: 1, data: quotaStatus, example } as const

/** The event types of monthly quotas, for the `events` of the feature that has accounts. Core emits them. */
export const quotaEvents = {
  warning: defineEvent({
    ...shared,
    type: 'quota.warning',
    summary: 'An API key, or the sessions of a user, used 80% of the monthly quota. Sent once per month.',
  }),
  exceeded: defineEvent({
    ...shared,
    type: 'quota.exceeded',
    summary:
      'The monthly quota is used up: further metered requests are rejected until it resets. Sent once per month.',
    example: { ...example, used: 1_000 },
  }),
} as const

const warningShare = 0.8

export type QuotaWatch = ReturnType<typeof createQuotaWatch>

/** A key over its limit opens a transaction only for its first request, unless more keys than this are. */
const maxEntries = 10_000

export function createQuotaWatch({ sink, clock, newId, log }: QuotaWatchOptions) {
  /** Marks that this process has made or found. */
  const known = lruCache<true>(maxEntries)

  return {
    /** Emits the events that are due after a request of the account. Never rejects. */
    async check(stores: RuntimeStores, account: Account, limits: Limits): Promise<void> {
      const data = toStatus(account, limits)
      const due = reachedMarks(limits).filter((mark) => !known.has(markName(data, mark)))
      if (due.length === 0) return
      for (const mark of due) known.set(markName(data, mark), true)
      try {
        const added = await stores.transact(async (tx) => {
          const events: EventRow[] = []
          for (const mark of due) {
            if (!(await tx.counters.mark(data.id, data.period, mark))) continue
            const facts = { id: newId('evt'), userId: account.userId, createdAt: clock.now() }
            events.push(createEvent(quotaEvents[mark], data, facts))
          }
          if (events.length > 0) await sink.add(tx, events)
          return events.length > 0
        })
        if (added) sink.committed()
      } catch (error) {
        // Nothing was marked: the next request of the account emits them.
        for (const mark of due) known.delete(markName(data, mark))
        log.warn({ counter: data.id, error }, 'could not store a quota event')
      }
    },
  }
}

interface QuotaWatchOptions {
  readonly sink: EventSink
  readonly clock: Clock
  readonly newId: NewId
  readonly log: Log
}

/** Whether so much of the quota is used that an event is due. */
export function isQuotaLow({ limit, remaining }: Limits): boolean {
  return limit - remaining >= warningShare * limit
}

/** The marks that a counter must have. An earlier request may have crashed before it set one. */
function reachedMarks(limits: Limits): readonly QuotaMark[] {
  if (!isQuotaLow(limits)) return []
  return limits.remaining > 0 ? ['warning'] : ['warning', 'exceeded']
}

function toStatus(account: Account, { keyId, limit, remaining, resetAt, windowMs }: Limits) {
  const { counter, credential, userId } = account
  return {
    id: keyId ?? counter,
    userId,
    keyId: keyId ?? (counter === credential.id ? credential.id : null),
    limit,
    used: limit - remaining,
    period: toPeriod(resetAt - windowMs),
    resetAt: new Date(resetAt).toISOString(),
  }
}

function markName({ id, period }: z.output<typeof quotaStatus>, mark: QuotaMark): string {
  return `${id}/${period}/${mark}`
}
