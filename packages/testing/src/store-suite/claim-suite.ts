import type { TestClock } from '../fakes/test-clock.ts'
import { type Claim, type RuntimeStores, maxClockSkewMs } from '@fairlead/core/stores'
import { describe, expect, test } from 'vitest'

const dayMs = 86_400_000

/** The part of the store suite for the claims of idempotency keys. */
export function claimSuite(stores: () => RuntimeStores, clock: TestClock): void {
  const terms = { leaseMs: 60, keptForMs: 1_000 }
  const newClaim = (facts: Partial<Claim> = {}) => ({ id: 'claim-1', fingerprint: 'print-1', owner: 'run-1', ...facts })
  /** A claim made `ago` milliseconds ago. */
  const storedClaim = (facts: Partial<Claim> = {}, ago = 0) => {
    const at = clock.now() - ago
    return { ...newClaim(), at, leaseUntil: at + terms.leaseMs, outcome: null, ...facts }
  }
  const take = (facts: Partial<Claim> = {}) => stores().transact((tx) => tx.claims.take(newClaim(facts), terms))
  const renew = (owner = 'run-1') => stores().transact((tx) => tx.claims.renew('claim-1', owner, terms.leaseMs))
  const keep = (owner = 'run-1', outcome = 'done') =>
    stores().transact((tx) => tx.claims.keep('claim-1', owner, outcome))
  const release = (owner = 'run-1') => stores().transact((tx) => tx.claims.release('claim-1', owner))
  const find = (id = 'claim-1') => stores().read((view) => view.claims.find(id, terms.keptForMs))

  describe('claims', () => {
    test('claims are granted once: the next attempt returns the first claim', async () => {
      expect(await find()).toBeUndefined()
      expect(await take()).toBeUndefined()
      clock.advance(59)
      expect(await take({ owner: 'run-2', fingerprint: 'print-2' })).toEqual(storedClaim({}, 59))
      expect(await find()).toEqual(storedClaim({}, 59))
    })

    test('claims are granted once under concurrency', async () => {
      const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => take({ owner: `run-${index}` })))
      expect(answers.filter((other) => other === undefined)).toHaveLength(1)
      expect(new Set(answers.map((other) => other?.owner)).size).toBe(2)
    })

    test('claims can be taken over when their lease has expired, and are lost to their first owner', async () => {
      await take()
      clock.advance(60)
      expect(await find()).toBeUndefined()
      expect(await take({ owner: 'run-2' })).toBeUndefined()
      expect(await keep('run-1')).toBe(false)
      expect(await renew('run-1')).toBe(false)
      await release('run-1')
      expect(await find()).toEqual(storedClaim({ owner: 'run-2' }))
    })

    test('claims can be renewed', async () => {
      await take()
      clock.advance(59)
      expect(await renew()).toBe(true)
      clock.advance(59)
      const renewed = storedClaim({}, 59)
      expect(await take({ owner: 'run-2' })).toEqual(renewed)
    })

    test('claims are available as soon as their owner releases them', async () => {
      await take()
      await release()
      expect(await find()).toBeUndefined()
      expect(await take({ owner: 'run-2' })).toBeUndefined()
    })

    test('claims keep the first outcome beyond the lease', async () => {
      await take()
      const { leaseUntil } = storedClaim()
      clock.advance(10)
      expect(await keep()).toBe(true)
      expect(await keep('run-1', 'another')).toBe(false)
      await release()
      clock.advance(999)
      const kept = storedClaim({ leaseUntil, outcome: 'done' }, 999)
      expect(await find()).toEqual(kept)
      expect(await take({ owner: 'run-2' })).toEqual(kept)
    })

    test('claims can be taken over when their outcome has expired', async () => {
      await take()
      clock.advance(10)
      await keep()
      clock.advance(1_000)
      expect(await find()).toBeUndefined()
      expect(await take({ owner: 'run-2' })).toBeUndefined()
      expect(await find()).toEqual(storedClaim({ owner: 'run-2' }))
    })

    test('claims made while the clock was 400 days ahead can be taken over after its correction', async () => {
      const now = clock.now()
      clock.jumpTo(now + 400 * dayMs)
      await take()
      clock.jumpTo(now)
      expect(await find()).toBeUndefined()
      expect(await take({ owner: 'run-2' })).toBeUndefined()
      expect(await keep('run-1')).toBe(false)
      expect(await find()).toEqual(storedClaim({ owner: 'run-2' }))
    })

    test('claims are valid again when their owner renews them after the clock was corrected', async () => {
      const now = clock.now()
      clock.jumpTo(now + 400 * dayMs)
      await take()
      clock.jumpTo(now)
      expect(await renew()).toBe(true)
      expect(await take({ owner: 'run-2' })).toEqual(storedClaim())
    })

    test('claims are valid while the clock is ahead by at most the maximum clock skew', async () => {
      const now = clock.now()
      clock.jumpTo(now + maxClockSkewMs)
      await take()
      clock.jumpTo(now)
      expect(await take({ owner: 'run-2' })).toMatchObject({ owner: 'run-1' })
    })

    test('claims keep an outcome that was stored while the clock was 400 days ahead', async () => {
      const now = clock.now()
      clock.jumpTo(now + 400 * dayMs)
      await take()
      await keep()
      clock.jumpTo(now)
      expect(await take({ owner: 'run-2' })).toMatchObject({ owner: 'run-1', outcome: 'done' })
    })

    test('claims are rolled back with their transaction', async () => {
      const failing = stores().transact(async (tx) => {
        await tx.claims.take(newClaim(), terms)
        await tx.claims.keep('claim-1', 'run-1', 'done')
        throw new Error('no')
      })
      await expect(failing).rejects.toThrow('no')
      expect(await find()).toBeUndefined()
    })

    test('claims are purged in batches, the oldest first', async () => {
      for (const number of [1, 2, 3, 4, 5]) {
        await take({ id: `claim-${number}` })
        clock.advance(1)
      }
      const purge = () => stores().transact((tx) => tx.claims.purge(clock.now() - 2, 2))
      expect(await purge()).toBe(2)
      const left = await Promise.all([1, 2, 3, 4, 5].map((number) => find(`claim-${number}`)))
      expect(left.map((claim) => claim?.id)).toEqual([undefined, undefined, 'claim-3', 'claim-4', 'claim-5'])
      expect([await purge(), await purge()]).toEqual([1, 0])
      expect(await find('claim-4')).toMatchObject({ id: 'claim-4' })
    })
  })
}
