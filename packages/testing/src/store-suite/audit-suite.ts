import { createIds } from '@fairlead/core/adapter'
import type { AuditFilters, AuditMonth, AuditStores, ChainedEntry } from '@fairlead/accounts/stores'
import { describe, expect, test } from 'vitest'

/** The part of the store suite for the audit log. */
export function auditSuite(stores: () => AuditStores): void {
  const newId = createIds(Date.now)

  function entry(facts: Partial<ChainedEntry> = {}): ChainedEntry {
    return {
      id: newId('aud'),
      month: '2026-03',
      number: 1,
      createdAt: Date.UTC(2026, 2, 14),
      action: 'patchUser',
      outcome: 'ok',
      actor: 'usr_1',
      credential: 'ses_1',
      projectId: null,
      targetType: 'user',
      targetId: 'usr_2',
      before: { tier: 'free' },
      after: { tier: 'pro' },
      address: '203.0.113.7',
      requestId: 'req_1',
      hash: 'a hash',
      keyId: 'a key',
      mac: 'a code',
      ...facts,
    }
  }

  const add = (...entries: readonly ChainedEntry[]) =>
    stores().transact(async (tx) => {
      for (const each of entries) await tx.audit.add(each)
    })

  const monthEnd = (month: string, entries: number): AuditMonth => ({
    month,
    entries,
    hash: entries === 0 ? '' : `${entries}`,
    link: `before ${month}`,
    closed: null,
  })

  /** Adds a month of so many entries, whose hashes are their numbers. */
  async function addMonth(month: string, entries: number): Promise<void> {
    await add(...Array.from({ length: entries }, (_, at) => entry({ month, number: at + 1, hash: `${at + 1}` })))
    await stores().transact((tx) => tx.audit.setEnd(monthEnd(month, entries)))
  }

  describe('the audit log', () => {
    const list = (filters: AuditFilters) =>
      stores().read((view) => view.audit.list(filters, { first: 'oldest', limit: 9 }))
    const months = () => stores().read((view) => view.audit.months())

    test('the audit log has entries as they were added', async () => {
      const full = entry({ after: { scopes: ['keys'], name: 'é😀', expires_at: null } })
      const bare = entry({
        number: 2,
        actor: null,
        credential: null,
        targetId: null,
        before: null,
        after: null,
        address: null,
        requestId: null,
      })
      await add(full, bare)
      expect(await stores().read((view) => view.audit.find(full.id))).toEqual(full)
      expect(await stores().read((view) => view.audit.findMany([bare.id, 'aud_1']))).toEqual([bare])
    })

    test('the audit log is listed by each filter', async () => {
      const facts = {
        actor: 'a',
        credential: 'c',
        action: 'login',
        outcome: 'FORBIDDEN',
        targetId: 't',
        projectId: 'p',
      }
      const found = entry({ ...facts, createdAt: 2_000 })
      await add(found, entry({ number: 2, createdAt: 1_000 }), entry({ number: 3, createdAt: 3_000 }))
      for (const [name, value] of Object.entries(facts)) expect(await list({ [name]: value })).toEqual([found])
      expect(await list({ createdAfter: 1_000, createdBefore: 3_000 })).toEqual([found])
      expect(await list({})).toHaveLength(3)
    })

    test('the audit log is listed in the order of its chain, also within a millisecond, and continued there', async () => {
      const entries = Array.from({ length: 5 }, (_, at) => entry({ number: at + 1, createdAt: at < 4 ? 1_000 : 1_001 }))
      await add(...entries)
      const page = async (first: 'oldest' | 'newest', after?: ChainedEntry) =>
        (await stores().read((view) => view.audit.list({}, { first, limit: 2, ...(after && { after }) }))).map(
          ({ number }) => number,
        )
      expect([await page('oldest'), await page('oldest', entries[1]), await page('oldest', entries[3])]).toEqual([
        [1, 2],
        [3, 4],
        [5],
      ])
      expect([await page('newest'), await page('newest', entries[3]), await page('newest', entries[1])]).toEqual([
        [5, 4],
        [3, 2],
        [1],
      ])
    })

    test('the audit log has the entries of a month in the order of their numbers', async () => {
      const [first, second, third] = [entry({ createdAt: 3 }), entry({ number: 2, createdAt: 1 }), entry({ number: 3 })]
      await add(third, first, second, entry({ month: '2026-04' }))
      const page = (after: number, limit: number) =>
        stores().read((view) => view.audit.ofMonth('2026-03', after, limit))
      expect([await page(0, 2), await page(2, 9), await page(3, 9)]).toEqual([[first, second], [third], []])
    })

    test('the audit log has the end of each month as it was set last, empty if it was not set', async () => {
      const march: AuditMonth = { month: '2026-03', entries: 2, hash: 'second', link: 'before', closed: 2 }
      await stores().transact((tx) => tx.audit.setEnd({ ...march, entries: 1, hash: 'first', closed: null }))
      await stores().transact((tx) => tx.audit.setEnd(march))
      await add(entry({ month: '2026-02' }))
      const february = { month: '2026-02', entries: 0, hash: '', link: null, closed: null }
      expect(await months()).toEqual([february, march])
      expect(await stores().read((view) => view.audit.ends())).toEqual([march])
      expect(await stores().read((view) => view.audit.end('2026-03'))).toEqual(march)
      expect(await stores().read((view) => view.audit.end('2026-02'))).toEqual(february)
    })

    test('the audit log has the head that was set last, and none before', async () => {
      const read = () => stores().read((view) => view.audit.head())
      const first = { value: '{}', keyId: 'key', mac: 'code' }
      expect(await read()).toBeUndefined()
      expect(await stores().transact((tx) => tx.audit.takeHead())).toBeUndefined()
      await stores().transact((tx) => tx.audit.setHead(first))
      await stores().transact((tx) => tx.audit.setHead({ ...first, value: '{"number":1}' }))
      const last = { ...first, value: '{"number":1}' }
      expect([await read(), await stores().transact((tx) => tx.audit.takeHead())]).toEqual([last, last])
    })

    test('the audit log has one head, which one transaction at a time changes', async () => {
      const count = () =>
        stores().transact(async (tx) => {
          const head = await tx.audit.takeHead()
          await tx.audit.setHead({ value: `${Number(head?.value) + 1}`, keyId: 'key', mac: 'code' })
        })
      await stores().transact((tx) => tx.audit.setHead({ value: '0', keyId: 'key', mac: 'code' }))
      await Promise.all(Array.from({ length: 10 }, count))
      expect(await stores().read((view) => view.audit.head())).toMatchObject({ value: '10' })
    })

    test('the audit log loses its oldest months in batches, the last entries of each first', async () => {
      for (const month of ['2026-01', '2026-02', '2026-03']) await addMonth(month, 3)
      const purge = (limit: number) => stores().transact((tx) => tx.audit.purge('2026-03', limit))
      const march = monthEnd('2026-03', 3)
      expect(await purge(2)).toBe(2)
      expect(await months()).toEqual([monthEnd('2026-01', 1), monthEnd('2026-02', 3), march])
      expect(await purge(2)).toBe(2)
      expect(await months()).toEqual([monthEnd('2026-02', 2), march])
      expect([await purge(9), await purge(9)]).toEqual([2, 0])
      expect(await months()).toEqual([march])
      expect(await list({})).toHaveLength(3)
    })
  })
}
