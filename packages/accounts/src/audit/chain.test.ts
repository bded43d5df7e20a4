import { describe, expect, test } from 'vitest'
import { addPlainEntry } from '@fairlead/testing/workspace'
import { testClock, testStores } from '@fairlead/testing'
import type { AuditEntryRow, SecretKeys } from '@fairlead/core'
import { auditEntry, createKeyring } from '@fairlead/core/feature'
import { createIds } from '@fairlead/core/adapter'
import type { AuditStores, AuditTransaction } from './audit-store.ts'
import { createAuditSink } from './chain.ts'
import { createAuditSigner } from './head.ts'
import { type AuditExpectation, verifyAudit } from './verify.ts'

const firstKey: SecretKeys = { current: 'the first key of the service' }
const secondKey: SecretKeys = { current: 'the second key of the service', previous: firstKey.current }
const thirdKey: SecretKeys = { current: 'the third key of the service', previous: secondKey.current }

function setup(start = '2026-03-14T12:00:00.000Z') {
  const clock = testClock(start)
  const stores = testStores({ clock })
  const createSink = (keys: SecretKeys) => createAuditSink({ clock, keyring: createKeyring(keys) })
  const sink = createSink(firstKey)
  const call = {
    newId: createIds(clock.now),
    operation: { name: 'patchUser' },
    caller: { kind: 'embedded', role: 'admin' },
    requestId: null,
    options: {},
  } as const
  const entry = () => auditEntry(call, { target: { type: 'user', id: 'usr_1' } }, clock.now())
  const transact = <Result>(work: (tx: AuditTransaction) => Promise<Result>) => stores.transact(work)
  const verify = (expected?: AuditExpectation, keys = firstKey) => verifyAudit(stores, keys, expected)
  return {
    clock,
    stores,
    entry,
    sink,
    transact,
    verify,
    add: (...entries: ReturnType<typeof entry>[]) => transact((tx) => sink.add(tx, entries)),
    /** Adds an entry with these keys. */
    addWith: (keys: SecretKeys) => transact((tx) => createSink(keys).add(tx, [entry()])),
    /** Adds an entry as a version before signatures does. */
    addPlain: () => transact((tx) => addPlainEntry(tx, entry())),
    purge: (before: string, limit = 500) => transact((tx) => sink.purge(tx, before, limit)),
    checks: async () => (await verify()).months,
    /** All faults, including the faults of months. */
    faults: async (expected?: AuditExpectation, keys?: SecretKeys) => {
      const { months, faults } = await verify(expected, keys)
      return [...months.flatMap(({ fault }) => fault ?? []), ...faults]
    },
  }
}

const dayMs = 86_400_000

const fixedEntry: AuditEntryRow = {
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
    const { add, entry, verify } = setup()
    await add(entry(), entry())
    await Promise.all([add(entry()), add(entry())])
    const hash = expect.stringMatching(/^[0-9a-f]{64}$/)
    const months = [{ month: '2026-03', entries: 4, hash, unsigned: 0 }]
    expect(await verify()).toEqual({ head: hash, removed: null, months, faults: [] })
  })

  test('the chain of a month begins anew in the next month (UTC), and continues the month before', async () => {
    const { clock, stores, add, entry, verify } = setup('2026-03-31T23:59:59.999Z')
    const last = entry()
    clock.advance(1)
    await add(last, entry())
    const { months, faults } = await verify()
    expect(months).toMatchObject([
      { month: '2026-03', entries: 1 },
      { month: '2026-04', entries: 1 },
    ])
    expect(faults).toEqual([])
    const [march, april] = await stores.read((view) => view.audit.ends())
    expect([march?.link, march?.closed, april?.link?.length, april?.closed]).toEqual(['', 1, 64, null])
  })

  test('the chain of a month has entries that were made before the next month began, and arrive late, in the next one', async () => {
    const { clock, add, entry, checks, faults } = setup('2026-03-31T23:59:59.999Z')
    const late = entry()
    clock.advance(1)
    await add(entry())
    await add(late)
    expect(await checks()).toMatchObject([{ month: '2026-04', entries: 2 }])
    expect(await faults()).toEqual([])
  })

  test('the chain of a month has the project of an entry', async () => {
    const { clock, transact, sink, stores, checks } = setup()
    await transact((tx) => sink.add(tx, [{ ...fixedEntry, createdAt: clock.now(), projectId: 'prj_1' }]))
    expect((await checks())[0]).not.toHaveProperty('fault')
    const stored = await stores.read((view) => view.audit.find('aud_1'))
    await transact(async (tx) => stored && tx.audit.add({ ...stored, projectId: 'prj_2' }))
    expect(await checks()).toMatchObject([{ fault: 'entry 1 (aud_1) was changed' }])
  })

  test('the chain of a month has the hashes of before for entries of versions before signatures', async () => {
    const { clock, transact, add, entry, checks, faults } = setup()
    await transact((tx) => addPlainEntry(tx, { ...fixedEntry, createdAt: clock.now() }))
    expect(await checks()).toMatchObject([{ hash: hashBeforeProjects }])
    await transact((tx) =>
      addPlainEntry(tx, { ...fixedEntry, id: 'aud_2', createdAt: clock.now(), projectId: 'prj_1' }),
    )
    await add(entry())
    expect(await checks()).toMatchObject([{ entries: 3, unsigned: 0 }])
    expect(await faults()).toEqual([])
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

  test('the chain of a month admits a thousand failures an hour', () => {
    const { clock, sink } = setup()
    const admitted = () => Array.from({ length: 1_200 }, () => sink.admitsFailure()).filter(Boolean).length
    expect(admitted()).toBe(1_000)
    expect(admitted()).toBe(0)
    clock.advance(3_600_000)
    expect(admitted()).toBe(1_000)
  })
})

describe('the audit log after retention', () => {
  test('the audit log after retention goes on from what was removed, which is signed', async () => {
    const { clock, add, entry, purge, verify, faults } = setup('2026-01-10T00:00:00.000Z')
    for (let month = 0; month < 3; month++) {
      await add(entry(), entry())
      clock.advance(31 * dayMs)
    }
    const { months } = await verify()
    expect(await purge('2026-03', 3)).toBe(3)
    expect(await faults()).toEqual([])
    expect(await purge('2026-03', 3)).toBe(1)
    expect(await purge('2026-03', 3)).toBe(0)
    const removed = { month: '2026-02', entries: 4, hash: months[1]?.hash, at: clock.now() }
    expect(await verify()).toMatchObject({ removed, months: [{ month: '2026-03', entries: 2 }], faults: [] })
    await add(entry())
    expect(await faults({ expect: months[1]?.hash })).toEqual([])
    expect(await faults({ expect: months[0]?.hash })).toEqual([expect.stringContaining('is not in the log')])
  })

  test('the audit log after retention of all entries begins with what was removed', async () => {
    const { clock, add, entry, purge, verify, faults } = setup('2026-01-10T00:00:00.000Z')
    await add(entry(), entry(), entry())
    await purge('2026-03', 2)
    expect(await faults()).toEqual([])
    await add(entry())
    expect(await faults()).toEqual([])
    clock.jumpTo('2026-03-10T00:00:00.000Z')
    await purge('2026-03', 500)
    await add(entry())
    expect(await verify()).toMatchObject({ removed: { entries: 4 }, months: [{ month: '2026-03' }], faults: [] })
  })

  test('the audit log after retention shows entries that were added to a month that was removed', async () => {
    const { clock, add, entry, purge, addPlain, faults } = setup('2026-01-10T00:00:00.000Z')
    await add(entry())
    const january = clock.now()
    clock.jumpTo('2026-03-10T00:00:00.000Z')
    await add(entry())
    await purge('2026-03')
    clock.jumpTo(january)
    await addPlain()
    expect(await faults()).toEqual(['entries were added to months that retention removed'])
  })

  test('the audit log after retention is checked again if entries were removed during the check', async () => {
    const { stores, add, entry, purge } = setup()
    await add(...Array.from({ length: 5 }, entry))
    let isFirst = true
    const shrinking: AuditStores = {
      ...stores,
      async read(work) {
        const result = await stores.read(work)
        if (isFirst) await purge('2026-04', 2)
        isFirst = false
        return result
      },
    }
    expect(await verifyAudit(shrinking, firstKey)).toMatchObject({ removed: { entries: 5 }, months: [], faults: [] })
  })
})

describe('the audit log during an upgrade', () => {
  test('the audit log during an upgrade keeps the months of before, whose ends are signed from then on', async () => {
    const { clock, transact, add, entry, addPlain, faults } = setup('2026-01-10T00:00:00.000Z')
    for (let month = 0; month < 3; month++) {
      await addPlain()
      await addPlain()
      clock.advance(31 * dayMs)
    }
    expect(await faults()).toEqual(['no head was signed, or it was removed'])
    await add(entry())
    expect(await faults()).toEqual([])
    // As the retention of the version before does.
    await transact((tx) => tx.audit.purge('2026-02', 500))
    expect(await faults()).toEqual(['the months before were removed or changed'])
  })

  test('the audit log during an upgrade reports entries of the version before, until their number is confirmed', async () => {
    const { clock, add, entry, addPlain, verify, faults } = setup('2026-03-31T00:00:00.000Z')
    await add(entry())
    await addPlain()
    await add(entry())
    clock.advance(dayMs)
    await addPlain()
    await add(entry())
    await addPlain()
    expect(await verify()).toMatchObject({
      months: [
        { entries: 3, unsigned: 1 },
        { entries: 3, unsigned: 2 },
      ],
      faults: ['3 entries have no signature (expected: 0): a version before signatures wrote them, or somebody else'],
    })
    expect(await faults({ unsigned: 3 })).toEqual([])
    expect(await faults({ unsigned: 2 })).toHaveLength(1)
  })

  test('the audit log during an upgrade is whole if the version before alone wrote a month, or adds to the last one', async () => {
    const { clock, add, entry, addPlain, faults } = setup('2026-01-31T00:00:00.000Z')
    await add(entry())
    const january = clock.now()
    clock.advance(dayMs)
    await addPlain()
    clock.advance(31 * dayMs)
    await add(entry())
    const march = clock.now()
    clock.jumpTo(january)
    await addPlain()
    clock.jumpTo(march)
    await add(entry())
    expect(await faults({ unsigned: 2 })).toEqual([])
  })
})

describe('the key of the audit log', () => {
  test('the key of the audit log can be changed: its entries stay valid under the keys of before', async () => {
    const { addWith, faults } = setup()
    await addWith(firstKey)
    await addWith(secondKey)
    expect(await faults({}, secondKey)).toEqual([])
    await addWith(thirdKey)
    expect(await faults({}, thirdKey)).toEqual([])
    expect(await faults({}, firstKey)).toEqual([
      expect.stringMatching(/^the head is signed with the key [0-9a-f]{32},/),
    ])
  })

  test('the key of the audit log can be changed on one node after the other', async () => {
    const { addWith, faults } = setup()
    await addWith(firstKey)
    for (let turn = 0; turn < 3; turn++) {
      await addWith(secondKey)
      await addWith(firstKey)
    }
    expect(await faults({}, secondKey)).toEqual([])
    await addWith(firstKey)
    await addWith(secondKey)
    expect(await faults({}, secondKey)).toEqual([])
  })

  test('the key of the audit log cannot be replaced by one that the service does not have', async () => {
    const { stores, transact, addWith, faults } = setup()
    await addWith(secondKey)
    const signed = await stores.read((view) => view.audit.head())
    const forged = { ...signed!, keyId: 'f'.repeat(32) }
    await transact((tx) => tx.audit.setHead(forged))
    expect(await faults({}, secondKey)).toHaveLength(1)
    await addWith(secondKey)
    expect(await faults({}, secondKey)).toHaveLength(1)
    // A key that replaced another one, with a head that it never signed.
    const { signHead, openHead } = createAuditSigner(createKeyring(secondKey))
    const { head } = openHead(signed!)!
    const changed = { ...forged, keyId: createKeyring(firstKey).fingerprint }
    await transact((tx) => tx.audit.setHead(signHead({ ...head, unchecked: changed })))
    expect(await faults({}, secondKey)).toContain(
      'the head was changed before it was signed with another key (2026-03)',
    )
  })
})
