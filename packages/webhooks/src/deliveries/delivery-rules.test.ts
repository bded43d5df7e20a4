import { describe, expect, test } from 'vitest'
import { createIds } from '@fairlead/core/adapter'
import { someEvent, someWebhook } from '@fairlead/testing'
import { someDelivery } from '@fairlead/testing/workspace'
import {
  afterAttempt,
  countFailure,
  healthAfterSuccess,
  mayReceive,
  readRetryAfter,
  reasonToDisable,
} from './delivery-rules.ts'
import type { ClaimedDelivery, DeliveryRow, DeliveryAttemptRow, Failures, WebhookRow } from '../webhook-store.ts'

const start = Date.parse('2026-03-14T12:00:00.000Z')
const hourMs = 3_600_000
const dayMs = 24 * hourMs

const pending: DeliveryRow = {
  id: 'dlv_1',
  webhookId: 'whk_1',
  eventId: 'evt_1',
  eventType: 'shipment.created',
  status: 'pending',
  attempts: [],
  tries: 0,
  nextAttemptAt: start,
  createdAt: start,
  updatedAt: start,
}

const responded = (status: number, at = start): DeliveryAttemptRow => ({ at, durationMs: 0, status, error: null })
const timedOut = (at = start): DeliveryAttemptRow => ({ at, durationMs: 0, status: null, error: 'timeout' })
const noJitter = () => 0

describe('afterAttempt', () => {
  test.each([200, 202, 204, 299])('a %i response delivers', (status) => {
    const after = afterAttempt(pending, { attempt: responded(status) }, noJitter)
    expect(after).toMatchObject({ status: 'delivered', nextAttemptAt: null, tries: 1 })
  })

  test.each([301, 307, 400, 404, 410, 500])('a %i response is retried after 5 s', (status) => {
    const after = afterAttempt(pending, { attempt: responded(status) }, noJitter)
    expect(after).toMatchObject({ status: 'pending', nextAttemptAt: start + 5_000 })
  })

  test('afterAttempt retries after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h, then fails', () => {
    let delivery = pending
    const waits: number[] = []
    while (delivery.status === 'pending') {
      const at = delivery.nextAttemptAt ?? 0
      delivery = afterAttempt(delivery, { attempt: timedOut(at) }, noJitter)
      if (delivery.nextAttemptAt !== null) waits.push((delivery.nextAttemptAt - at) / 1_000)
    }
    expect(waits).toEqual([5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400])
    expect(delivery).toMatchObject({ status: 'failed', nextAttemptAt: null, tries: 10 })
  })

  test('afterAttempt adds up to a tenth of the delay', () => {
    const after = afterAttempt(pending, { attempt: timedOut() }, () => 1)
    expect(after.nextAttemptAt).toBe(start + 5_500)
  })

  test('afterAttempt waits as long as Retry-After asks, at most a day', () => {
    const wait = (retryAfterMs: number) =>
      (afterAttempt(pending, { attempt: responded(503), retryAfterMs }, noJitter).nextAttemptAt ?? 0) - start
    expect([wait(1_000), wait(hourMs), wait(90 * dayMs)]).toEqual([5_000, hourMs, dayMs])
  })

  test('afterAttempt keeps the last 20 attempts', () => {
    const attempts = Array.from({ length: 20 }, (_, position) => responded(500, start + position))
    const after = afterAttempt({ ...pending, attempts }, { attempt: responded(500, start + 20) }, noJitter)
    expect(after.attempts.map(({ at }) => at - start)).toEqual(
      Array.from({ length: 20 }, (_, position) => position + 1),
    )
  })
})

describe('reasonToDisable', () => {
  const failuresAt = (...hours: readonly number[]) =>
    hours.reduce<Failures | null>((failures, hour) => countFailure(failures, start + hour * hourMs), null)
  const reasonAfter = (...hours: readonly number[]) =>
    reasonToDisable(timedOut(start + (hours.at(-1) ?? 0) * hourMs), failuresAt(...hours) as Failures)

  test('a 410 response disables at once', () => {
    expect(reasonToDisable(responded(410), failuresAt(0) as Failures)).toBe('gone')
  })

  test('failures over five days, at least 12 hours apart, disable', () => {
    expect(reasonAfter(0, 20, 60, 120)).toBe('failing')
  })

  test('four days of failures do not disable', () => {
    expect(reasonAfter(0, 20, 60, 96)).toBeUndefined()
  })

  test('two failures six days apart do not disable', () => {
    expect(reasonAfter(0, 144)).toBeUndefined()
  })

  test('many failures within 12 hours count as one', () => {
    expect(reasonAfter(0, 1, 2, 3, 120)).toBeUndefined()
  })

  test('a failure while the clock was a year ahead is forgotten', () => {
    expect(reasonAfter(0, 8_760, 20, 60, 120)).toBeUndefined()
    expect(reasonAfter(0, 8_760, 20, 60, 140)).toBe('failing')
  })
})

describe('readRetryAfter', () => {
  test('readRetryAfter reads seconds and dates', () => {
    expect(readRetryAfter(429, '120', start)).toBe(120_000)
    expect(readRetryAfter(503, 'Sat, 14 Mar 2026 12:01:00 GMT', start)).toBe(60_000)
  })

  test.each([
    ['a status other than 429 and 503', 500, '120'],
    ['a missing header', 503, undefined],
    ['a malformed header', 503, 'soon'],
    ['a date in the past', 503, 'Sat, 14 Mar 2026 11:00:00 GMT'],
  ])('readRetryAfter ignores %s', (_name, status, header) => {
    expect(readRetryAfter(status, header, start)).toBeUndefined()
  })
})

describe('mayReceive', () => {
  const newId = createIds(() => start)
  const admin = { role: 'admin', status: 'active' } as const
  const member = { role: 'member', status: 'active' } as const
  const ofAll = { userId: 'usr_1', allUsers: true }

  test.each<[string, boolean, Partial<WebhookRow>, ClaimedDelivery['owner'], string | null]>([
    ['a member its own event', true, { userId: 'usr_1' }, member, 'usr_1'],
    ['a member the event of another user', false, { userId: 'usr_1' }, member, 'usr_2'],
    ['an admin the event of another user', true, ofAll, admin, 'usr_2'],
    ['an admin who did not ask for all users', false, { userId: 'usr_1' }, admin, 'usr_2'],
    ['a former admin the event of another user', false, ofAll, member, 'usr_2'],
    ['a former admin its own event', true, ofAll, member, 'usr_1'],
    ['a suspended user its own event', false, ofAll, { ...admin, status: 'suspended' }, 'usr_1'],
    ['a deleted user its own event', false, ofAll, undefined, 'usr_1'],
    ['the embedding program its own event', true, { userId: null }, undefined, null],
    ['the embedding program the event of a user', false, { userId: null }, undefined, 'usr_1'],
    ['the embedding program the event of any user', true, { userId: null, allUsers: true }, undefined, 'usr_1'],
    ['an admin mail', true, { userId: 'usr_1', url: 'mailto:' }, admin, 'usr_1'],
    ['an admin who became a member mail', false, { userId: 'usr_1', url: 'mailto:' }, member, 'usr_1'],
    ['the embedding program mail', true, { userId: null, url: 'mailto:' }, undefined, null],
    ['a disabled webhook', false, { userId: 'usr_1', enabled: false }, member, 'usr_1'],
  ])('mayReceive sends %s: %s', (_who, expected, facts, owner, userId) => {
    const webhook = someWebhook(newId, facts)
    const claimed = {
      delivery: someDelivery(newId),
      webhook,
      owner,
      event: someEvent(newId, { userId }),
    }
    expect(mayReceive(claimed)).toBe(expected)
  })
})

describe('healthAfterSuccess', () => {
  const failures = { since: start, count: 1, lastCountedAt: start }
  const healthy = { lastDeliveredAt: start, failures: null }

  test.each([
    ['stores the first success', { lastDeliveredAt: null, failures: null }, start, healthy],
    ['clears failures at once', { lastDeliveredAt: start - 1, failures }, start, healthy],
    ['changes nothing within a minute', { lastDeliveredAt: start - 59_999, failures: null }, start, undefined],
    ['stores a success after a minute', { lastDeliveredAt: start - 60_000, failures: null }, start, healthy],
    ['replaces a success of a wrong clock', { lastDeliveredAt: start + 86_400_000, failures: null }, start, healthy],
  ])('healthAfterSuccess %s', (_case, before, at, expected) => {
    expect(healthAfterSuccess(before, at)).toEqual(expected)
  })
})
