import * as z from 'zod'
import { lacksSecretKey } from '../sessions/adopt-secret-key.ts'
import { createEvent, namedObject, createKeyring } from '@fairlead/core/feature'
import { defineEvent, type FeatureContext, type SecretKeys } from '@fairlead/core'
import { createIds } from '@fairlead/core/adapter'
import type { AuditStores } from './audit-store.ts'
import type { ChainingSink } from './chain.ts'
import { createAuditSigner, emptyHead } from './head.ts'

const auditHead = namedObject('AuditHead', 'The head of the audit log, which covers all of its entries.', {
  id: z.string().describe('The head: the hash of the last entry.'),
  month: z.string().describe('The month of the last entry in UTC, as `YYYY-MM`.'),
  number: z.int().describe('The number of the last entry in the month.'),
})

export const auditEvents = {
  head: defineEvent({
    type: 'audit.head',
    scope: 'audit',
    version: 1,
    summary: 'The head of the audit log, once a day. Only webhooks of admins for all users receive it.',
    data: auditHead,
    example: {
      id: '9f2c5d0b7a4e4d8c1f36b2a90e75c8d3416f0b9a2d7e85c1b3f4069d8a7e2c51',
      month: '2026-03',
      number: 87,
    },
    title: ({ id }) => `The head of the audit log is ${id}`,
  }),
} as const

/** The day (UTC) on which the head was last announced. */
const setting = 'audit_head_announced'

/** Signs the head with the current key, and announces it once a day (UTC): in the log, and as an event. */
export async function announceHead(
  { stores, clock, keyring, log, addEvents, eventsCommitted }: FeatureContext<AuditStores>,
  sink: ChainingSink,
): Promise<void> {
  const now = clock.now()
  const day = new Date(now).toISOString().slice(0, 10)
  const { isCurrent } = createAuditSigner(keyring)
  const isDone = await stores.read(async ({ audit, settings }) => {
    const signed = await audit.head()
    return signed !== undefined && isCurrent(signed) && (await settings.get(setting)) === day
  })
  if (isDone) return
  const announced = await stores.transact(async (tx) => {
    const head = await sink.signHead(tx)
    if ((await tx.settings.get(setting)) === day) return undefined
    await tx.settings.set(setting, day)
    if (head.hash === '') return undefined
    const data = { id: head.hash, month: head.month, number: head.number }
    await addEvents(tx, [
      createEvent(auditEvents.head, data, { id: createIds(clock.now)('evt'), userId: null, createdAt: now }),
    ])
    return head
  })
  if (!announced) return
  eventsCommitted()
  const { hash, month, number, fault } = announced
  log.info?.({ head: hash, month, number }, 'the head of the audit log')
  if (fault) log.error({ month: fault.month, fault: fault.text }, 'the audit log was tampered with')
}

/**
 * Signs the head of an audit log without entries, so that its absence shows from then on. Call it before the first
 * `adoptSecretKey`: does nothing if the stores have a key.
 */
export async function beginAuditLog(stores: AuditStores, secretKeys: SecretKeys): Promise<void> {
  const { signHead } = createAuditSigner(createKeyring(secretKeys))
  await stores.transact(async (tx) => {
    if (!(await lacksSecretKey(tx)) || (await tx.audit.takeHead())) return
    if ((await tx.audit.ends()).length === 0) await tx.audit.setHead(signHead(emptyHead))
  })
}
