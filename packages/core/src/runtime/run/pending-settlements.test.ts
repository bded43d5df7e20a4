import { expect, test } from 'vitest'
import { testClock } from '@fairlead/testing'
import { FairleadError } from '../errors.ts'
import { createPendingSettlements } from './pending-settlements.ts'

const log = { error() {}, warn() {} }

/** A queue of settlements during an outage. */
function outage() {
  const clock = testClock()
  let isAway = true
  const settle = async () => {
    if (isAway) throw new FairleadError('SERVICE_UNAVAILABLE', 'The store is unavailable.')
  }
  const queue = createPendingSettlements(clock, log)
  return { clock, admit: () => queue.admit(settle), close: () => queue.close(0), end: () => (isAway = false) }
}

test('finished answers are handed out in the first ten minutes of an outage', async () => {
  const { clock, admit, end } = outage()
  expect(admit()).toBe(true)
  clock.advance(600_000)
  expect(admit()).toBe(true)
  clock.advance(1)
  expect(admit()).toBe(false)
  end()
  // Once the queue is written, an outage begins anew.
  await expect.poll(() => (clock.advance(10_000), admit())).toBe(true)
})

test('finished answers are handed out while the queue has room', () => {
  const { admit } = outage()
  const admitted = Array.from({ length: 10_001 }, admit)
  expect([admitted.at(-2), admitted.at(-1)]).toEqual([true, false])
})

test('finished answers are not handed out by a core that is closed', async () => {
  const { admit, close } = outage()
  await close()
  expect(admit()).toBe(false)
})
