import { describe, expect, test } from 'vitest'
import { maxClockSkewMs } from '../runtime/clock.ts'
import type { TestClock } from './test-clock.ts'
import type { Stores } from '../feature-stores.ts'
import type { Claim } from '../runtime/stores.ts'

const dayMs = 86_400_000

/** The part of the store suite that is about the claims of Idempotency-Keys. */
export function claimSuite(stores: () => Stores, clock: TestClock): void {
  const terms = { leaseMs: 60, keptForMs: 1_000 }
  const claimed = (facts: Partial<Claim> = {}) => ({ id: 'claim-1', fingerprint: 'print-1', owner: 'run-1', ...facts })
  /** One made so long ago. */
  const standing = (facts: Partial<Claim> = {}, ago = 0) => {
    const at = clock.now() - ago
    return { ...claimed(), at, leaseUntil: at + terms.leaseMs, outcome: null, ...facts }
  }
  const take = (facts: Partial<Claim> = {}) => stores().transact((tx) => tx.claims.take(claimed(facts), terms))
  const renew = (owner = 'run-1') => stores().transact((tx) => tx.claims.renew('claim-1', owner, terms.leaseMs))
  const keep = (owner = 'run-1', outcome = 'done') =>
    stores().transact((tx) => tx.claims.keep('claim-1', owner, outcome))
  const release = (owner = 'run-1') => stores().transact((tx) => tx.claims.release('claim-1', owner))
  const find = (id = 'claim-1') => stores().read((view) => view.claims.find(id, terms.keptForMs))

  describe('claims', () => {
    test('are made once: the next is told of the first', async () => {
      expect(await find()).toBeUndefined()
      expect(await take()).toBeUndefined()
      clock.advance(59)
      expect(await take({ owner: 'run-2', fingerprint: 'print-2' })).toEqual(standing({}, 59))
      expect(await find()).toEqual(standing({}, 59))
    })

    test('of one id at once are one', async () => {
      const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => take({ owner: `run-${index}` })))
      expect(answers.filter((other) => other === undefined)).toHaveLength(1)
      expect(new Set(answers.map((other) => other?.owner)).size).toBe(2)
    })

    test('give way when their lease has ended, and then are no longer their owner’s', async () => {
      await take()
      clock.advance(60)
      expect(await find()).toBeUndefined()
      expect(await take({ owner: 'run-2' })).toBeUndefined()
      expect(await keep('run-1')).toBe(false)
      expect(await renew('run-1')).toBe(false)
      await release('run-1')
      expect(await find()).toEqual(standing({ owner: 'run-2' }))
    })

    test('hold longer when they are renewed', async () => {
      await take()
      clock.advance(59)
      expect(await renew()).toBe(true)
      clock.advance(59)
      const renewed = standing({}, 59)
      expect(await take({ owner: 'run-2' })).toEqual(renewed)
    })

    test('are free at once when their owner lets go', async () => {
      await take()
      await release()
      expect(await find()).toBeUndefined()
      expect(await take({ owner: 'run-2' })).toBeUndefined()
    })

    test('keep what their owner’s run came to, beyond the lease, and once', async () => {
      await take()
      const { leaseUntil } = standing()
      clock.advance(10)
      expect(await keep()).toBe(true)
      expect(await keep('run-1', 'another')).toBe(false)
      await release()
      clock.advance(999)
      const kept = standing({ leaseUntil, outcome: 'done' }, 999)
      expect(await find()).toEqual(kept)
      expect(await take({ owner: 'run-2' })).toEqual(kept)
    })

    test('give way when what they came to was kept for long enough', async () => {
      await take()
      clock.advance(10)
      await keep()
      clock.advance(1_000)
      expect(await find()).toBeUndefined()
      expect(await take({ owner: 'run-2' })).toBeUndefined()
      expect(await find()).toEqual(standing({ owner: 'run-2' }))
    })

    test('whose lease was taken while the clock was 400 days ahead give way once it is right again', async () => {
      const now = clock.now()
      clock.jumpTo(now + 400 * dayMs)
      await take()
      clock.jumpTo(now)
      expect(await find()).toBeUndefined()
      expect(await take({ owner: 'run-2' })).toBeUndefined()
      expect(await keep('run-1')).toBe(false)
      expect(await find()).toEqual(standing({ owner: 'run-2' }))
    })

    test('hold again when their owner renews them after the clock was corrected', async () => {
      const now = clock.now()
      clock.jumpTo(now + 400 * dayMs)
      await take()
      clock.jumpTo(now)
      expect(await renew()).toBe(true)
      expect(await take({ owner: 'run-2' })).toEqual(standing())
    })

    test('hold while the clock is ahead by no more than clocks differ', async () => {
      const now = clock.now()
      clock.jumpTo(now + maxClockSkewMs)
      await take()
      clock.jumpTo(now)
      expect(await take({ owner: 'run-2' })).toMatchObject({ owner: 'run-1' })
    })

    test('keep an outcome that was stored while the clock was 400 days ahead', async () => {
      const now = clock.now()
      clock.jumpTo(now + 400 * dayMs)
      await take()
      await keep()
      clock.jumpTo(now)
      expect(await take({ owner: 'run-2' })).toMatchObject({ owner: 'run-1', outcome: 'done' })
    })

    test('made in a transaction that fails are not made', async () => {
      const failing = stores().transact(async (tx) => {
        await tx.claims.take(claimed(), terms)
        await tx.claims.keep('claim-1', 'run-1', 'done')
        throw new Error('no')
      })
      await expect(failing).rejects.toThrow('no')
      expect(await find()).toBeUndefined()
    })

    test('are purged when they are old, the oldest first, so many at a time', async () => {
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
