import { describe, expect, test } from 'vitest'
import { memoryStores } from '../fairlead/memory-stores.ts'
import { testClock } from '../fakes/test-clock.ts'
import { type AuditEntry, auditEntry } from '../runtime/audit-entry.ts'
import { createIds } from '../runtime/id.ts'
import type { AuditStores } from './audit-store.ts'
import { createAuditSink, verifyAudit } from './chain.ts'

function setup(start = '2026-03-14T12:00:00.000Z') {
  const clock = testClock(start)
  const stores = memoryStores({ clock })
  const sink = createAuditSink(clock)
  const call = {
    newId: createIds(clock.now),
    operation: { name: 'patchUser' },
    caller: { kind: 'embedded', role: 'admin' },
    requestId: null,
    options: {},
  } as const
  const entry = () => auditEntry(call, { target: { type: 'user', id: 'usr_1' } }, clock.now())
  return {
    clock,
    stores,
    entry,
    sink,
    add: (...entries: ReturnType<typeof entry>[]) => stores.transact((tx) => sink.add(tx, entries)),
    checks: () => verifyAudit(stores),
  }
}

const fixedEntry: AuditEntry = {
  id: 'aud_1',
  createdAt: 0,
  action: 'patchUser',
  outcome: 'ok',
  actor: 'usr_1',
  credential: 'key_1',
  projectId: null,
  targetType: 'user',
  targetId: 'usr_1',
  before: { name: 'Ada' },
  after: { name: 'Grace' },
  address: '203.0.113.7',
  requestId: 'req_1',
}

/** As the version before projects computed it. */
const hashBeforeProjects = '07dc80e6102c5aa1a453d71686fc780782df889ec5ea35a037ab34c7306bb550'

describe('the chain of a month', () => {
  test('the chain of a month is whole after any number of entries', async () => {
    const { add, entry, checks } = setup()
    await add(entry(), entry())
    await Promise.all([add(entry()), add(entry())])
    expect(await checks()).toEqual([{ month: '2026-03', entries: 4, hash: expect.stringMatching(/^[0-9a-f]{64}$/) }])
  })

  test('the chain of a month begins anew in the next month (UTC)', async () => {
    const { clock, add, entry, checks } = setup('2026-03-31T23:59:59.999Z')
    const last = entry()
    clock.advance(1)
    await add(last, entry())
    expect(await checks()).toMatchObject([
      { month: '2026-03', entries: 1 },
      { month: '2026-04', entries: 1 },
    ])
  })

  test('the chain of a month has the project of an entry, and the hashes of before for entries without one', async () => {
    const { stores, clock, sink, checks } = setup()
    const entry = { ...fixedEntry, createdAt: clock.now() }
    await stores.transact((tx) => sink.add(tx, [entry]))
    expect(await checks()).toMatchObject([{ hash: hashBeforeProjects }])
    await stores.transact((tx) => sink.add(tx, [{ ...entry, id: 'aud_2', projectId: 'prj_1' }]))
    const [month] = await checks()
    expect([month?.entries, month?.fault]).toEqual([2, undefined])
    const second = await stores.read((view) => view.audit.find('aud_2'))
    await stores.transact(async (tx) => second && tx.audit.add({ ...second, projectId: 'prj_2' }))
    expect(await checks()).toMatchObject([{ fault: 'entry 2 (aud_2) was changed' }])
  })

  test('the chain of a month has an entry once that is added twice', async () => {
    const { add, entry, checks } = setup()
    const twice = entry()
    await add(twice)
    await add(twice, entry())
    expect(await checks()).toMatchObject([{ entries: 2 }])
  })

  test('the chain of a month is whole in more entries than are read at once', async () => {
    const { add, entry, checks } = setup()
    await add(...Array.from({ length: 1_001 }, entry))
    expect(await checks()).toMatchObject([{ entries: 1_001 }])
    expect((await checks())[0]).not.toHaveProperty('fault')
  })

  test('the chain of a month is whole while retention removes it', async () => {
    const { stores, add, entry, checks } = setup()
    await add(...Array.from({ length: 5 }, entry))
    await stores.transact((tx) => tx.audit.purge('2026-04', 2))
    expect(await checks()).toEqual([{ month: '2026-03', entries: 3, hash: expect.any(String) }])
  })

  test('the chain of a month is checked again if retention removed entries during the check', async () => {
    const { stores, add, entry } = setup()
    await add(...Array.from({ length: 5 }, entry))
    let isFirst = true
    const shrinking: AuditStores = {
      ...stores,
      async read(work) {
        const result = await stores.read(work)
        if (isFirst) await stores.transact((tx) => tx.audit.purge('2026-04', 2))
        isFirst = false
        return result
      },
    }
    expect(await verifyAudit(shrinking)).toMatchObject([{ entries: 3 }])
  })

  test('the chain of a month admits a thousand failures an hour', () => {
    const { clock, sink } = setup()
    const admitted = () => Array.from({ length: 1_200 }, () => sink.admitsFailure()).filter(Boolean).length
    expect(admitted()).toBe(1_000)
    expect(admitted()).toBe(0)
    clock.advance(3_600_000)
    expect(admitted()).toBe(1_000)
  })
})
