import { describe, expect, onTestFinished, test } from 'vitest'
import { createFairlead, type AuditEntryRow } from '@fairlead/core'
import { ownFeatures, addAuditEntries, addPlainEntry, storedEvents } from '@fairlead/testing/workspace'
import { fakeOutbound, testClock, testStores } from '@fairlead/testing'
import { adoptSecretKey } from '../sessions/adopt-secret-key.ts'
import { beginAuditLog } from './announce-head.ts'
import { verifyAudit } from './verify.ts'

const secretKeys = { current: 'the key of the service' }
const hourMs = 3_600_000

function setup() {
  const clock = testClock('2026-03-14T20:00:00.000Z')
  const stores = testStores({ clock })
  const logged: (readonly [string, unknown])[] = []
  const note = (facts: unknown, message: string) => void logged.push([message, facts])
  const log = { error: note, warn: note, info: note }
  const entry = (id: string): AuditEntryRow => ({
    id,
    createdAt: clock.now(),
    action: 'patchUser',
    outcome: 'ok',
    actor: 'operator',
    credential: null,
    projectId: null,
    targetType: 'user',
    targetId: 'usr_1',
    before: null,
    after: null,
    address: null,
    requestId: null,
  })

  /** Starts a node, whose jobs run every hour. */
  function start(keys = secretKeys) {
    const features = ownFeatures({ outbound: fakeOutbound() })
    const { core } = createFairlead({ providers: [], features, stores, testing: { clock }, log, secretKeys: keys })
    onTestFinished(() => core.close())
    core.startJobs()
  }

  return {
    clock,
    stores,
    logged,
    start,
    add: (id: string) => stores.transact((tx) => addAuditEntries(tx, secretKeys, [entry(id)])),
    addPlain: (id: string) => stores.transact((tx) => addPlainEntry(tx, entry(id))),
    heads: async () => (await storedEvents(stores)).filter(({ type }) => type === 'audit.head'),
    /** Lets the jobs of some hours run. */
    async pass(hours: number) {
      for (let hour = 0; hour < hours; hour++) {
        clock.advance(hourMs)
        for (let turn = 0; turn < 200; turn++) await Promise.resolve()
        await stores.read(async () => {})
      }
    },
  }
}

describe('the head of the audit log', () => {
  test('the head of the audit log is logged and sent once a day, by one of the nodes', async () => {
    const { stores, logged, start, add, heads, pass } = setup()
    await add('aud_1')
    start()
    start()
    const { head } = await verifyAudit(stores, secretKeys)
    await expect.poll(async () => (await pass(1), heads())).toHaveLength(1)
    expect(await heads()).toMatchObject([{ userId: null, data: { id: head, month: '2026-03', number: 1 } }])
    expect(logged).toContainEqual(['the head of the audit log', { head, month: '2026-03', number: 1 }])
    await pass(1)
    expect(await heads()).toHaveLength(1)
    await expect.poll(async () => (await pass(1), heads())).toHaveLength(2)
  })

  test('the head of the audit log is signed without new entries, so that the entries of before cannot change', async () => {
    const { stores, start, addPlain, pass } = setup()
    await addPlain('aud_1')
    expect((await verifyAudit(stores, secretKeys)).faults).toEqual(['no head was signed, or it was removed'])
    start()
    await expect.poll(async () => (await pass(1), (await verifyAudit(stores, secretKeys)).faults)).toEqual([])
    await stores.transact(async (tx) => {
      const [end] = await tx.audit.ends()
      await tx.audit.purge('2026-04', 1)
      await tx.audit.setEnd({ ...end!, entries: 0, hash: '' })
    })
    await addPlain('aud_2')
    const { months } = await verifyAudit(stores, secretKeys)
    expect(months).toMatchObject([{ fault: 'entry 1 is not the signed head' }])
  })

  test('the head of the audit log is signed with a new key within a day, also without new entries', async () => {
    const { stores, start, add, pass } = setup()
    await add('aud_1')
    const keys = { current: 'the next key of the service', previous: secretKeys.current }
    start(keys)
    const after = { current: 'the key after it', previous: keys.current }
    await expect.poll(async () => (await pass(1), (await verifyAudit(stores, after)).faults)).toEqual([])
  })

  test('the head of the audit log of a new database is signed before it has entries', async () => {
    const { stores } = setup()
    await beginAuditLog(stores, secretKeys)
    expect(await verifyAudit(stores, secretKeys)).toEqual({ head: null, removed: null, months: [], faults: [] })
  })

  test('the head of the audit log is not signed by a start if the database has a key, so that its absence shows', async () => {
    const { stores } = setup()
    await adoptSecretKey(stores, secretKeys)
    await beginAuditLog(stores, secretKeys)
    expect((await verifyAudit(stores, secretKeys)).faults).toHaveLength(1)
  })
})
