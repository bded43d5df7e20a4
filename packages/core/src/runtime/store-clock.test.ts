import { expect, test } from 'vitest'
import { testClock } from '@fairlead/testing'
import { followStores } from './store-clock.ts'

const day = 86_400_000

/** A machine and a database, whose clocks are a number of milliseconds apart. */
async function machine(aheadMs: number) {
  const timers = testClock()
  let ahead = aheadMs
  let isAway = false
  const logged: unknown[] = []
  const log = { error() {}, warn: (facts: object) => void logged.push(facts) }
  const own = { now: () => timers.now() + ahead, monotonic: () => timers.now(), schedule: timers.schedule }
  const readTime = async () => {
    if (isAway) throw new Error('the database is away')
    return timers.now()
  }
  const clock = followStores(own, readTime, log)
  await clock.start()
  return {
    clock,
    timers,
    logged,
    jump: (ms: number) => void (ahead += ms),
    goAway: () => void (isAway = true),
    comeBack: () => void (isAway = false),
    errorMs: () => clock.now() - timers.now(),
  }
}

test('the clock of the stores is followed by a machine that is a day ahead', async () => {
  const { clock, errorMs, logged } = await machine(day)
  expect([errorMs(), clock.skewMs(), logged]).toEqual([0, day, [{ skewMs: day }]])
})

test('the clock of the stores leaves one alone that differs by less than a second', async () => {
  const { clock, errorMs, logged } = await machine(-900)
  expect([errorMs(), clock.skewMs(), logged]).toEqual([-900, 0, []])
})

test('the clock of the stores goes on when that of the machine jumps', async () => {
  const { clock, timers, errorMs, jump } = await machine(0)
  timers.advance(10_000)
  jump(day)
  expect(errorMs()).toBe(0)
  timers.advance(50_000)
  await expect.poll(() => clock.skewMs()).toBe(day)
  expect(errorMs()).toBe(0)
})

test('the clock of the stores is measured each minute, until it is stopped', async () => {
  const { clock, timers, jump } = await machine(5_000)
  jump(-5_000)
  timers.advance(60_000)
  await expect.poll(() => clock.skewMs()).toBe(0)
  clock.stop()
  jump(5_000)
  timers.advance(600_000)
  await Promise.resolve()
  expect(clock.skewMs()).toBe(0)
})

test('the clock of the stores is unknown after a jump of more than a minute that cannot be measured', async () => {
  const { clock, jump, goAway, comeBack } = await machine(0)
  goAway()
  jump(59_000)
  expect(await clock.check()).toBeUndefined()
  jump(2_000)
  await expect(clock.check()).rejects.toThrow('the database is away')
  comeBack()
  expect(await clock.check()).toBeUndefined()
  expect(clock.skewMs()).toBe(61_000)
})
