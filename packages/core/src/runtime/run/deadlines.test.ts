import { describe, expect, test, vi } from 'vitest'
import { testClock } from '@fairlead/testing'
import type { Clock } from '../clock.ts'
import { Task, Deadlines } from './task.ts'

/** A clock that counts its timers. */
function setup() {
  const clock = testClock()
  const schedule = vi.fn<Clock['schedule']>(clock.schedule)
  const deadlines = new Deadlines({ ...clock, schedule })
  const open = (ms: number) => {
    const task = new Task()
    deadlines.set(task, ms)
    return task
  }
  return { clock, schedule, deadlines, open }
}

describe('a deadline', () => {
  test('a deadline expires at its time', () => {
    const { clock, open } = setup()
    const [first, second] = [open(2_000), open(1_000)]
    clock.advance(999)
    expect([first.aborted, second.aborted]).toEqual([false, false])
    clock.advance(1)
    expect([first.aborted, second.aborted]).toEqual([false, true])
    clock.advance(1_000)
    expect(first.aborted).toBe(true)
  })

  test('a deadline does not expire after it was removed', () => {
    const { clock, deadlines, open } = setup()
    const task = open(1_000)
    deadlines.remove(task)
    deadlines.remove(task)
    clock.advance(10_000)
    expect(task.aborted).toBe(false)
  })

  test('a deadline can be postponed without a new timer, and brought forward', () => {
    const { clock, schedule, deadlines, open } = setup()
    const task = open(1_000)
    deadlines.set(task, 5_000)
    expect(schedule).toHaveBeenCalledTimes(1)
    clock.advance(4_999)
    expect(task.aborted).toBe(false)
    deadlines.set(task, 10_000)
    deadlines.set(task, 500)
    clock.advance(499)
    expect(task.aborted).toBe(false)
    clock.advance(1)
    expect(task.aborted).toBe(true)
  })

  test('deadlines shortly after one another expire together, at most 50 ms late', () => {
    const { clock, schedule, open } = setup()
    const tasks = [1_000, 1_001, 1_030, 1_050, 1_051].map(open)
    const aborted = () => tasks.map((task) => task.aborted)
    clock.advance(1_000)
    expect(aborted()).toEqual([true, false, false, false, false])
    clock.advance(49)
    expect(aborted()).toEqual([true, false, false, false, false])
    clock.advance(1)
    expect(aborted()).toEqual([true, true, true, true, false])
    expect(schedule).toHaveBeenCalledTimes(3)
  })

  test('a deadline shares one timer with all that are later', () => {
    const { schedule, open } = setup()
    for (let ms = 1_000; ms < 2_000; ms++) open(ms)
    expect(schedule).toHaveBeenCalledTimes(1)
  })

  test('a deadline does not expire if another that is due at the same time has ended its task', () => {
    const { clock, deadlines } = setup()
    const ended: string[] = []
    const other = new Task()
    deadlines.after(1_000, () => {
      ended.push('first')
      deadlines.remove(other)
    })
    deadlines.set(other, 1_000)
    deadlines.after(1_000, () => void ended.push('last'))
    clock.advance(1_000)
    expect(ended).toEqual(['first', 'last'])
    expect(other.aborted).toBe(false)
  })

  test('a deadline is not moved by a correction of the clock', () => {
    const clock = testClock()
    let elapsed = 0
    const deadlines = new Deadlines({ ...clock, monotonic: () => elapsed })
    const task = new Task()
    deadlines.set(task, 60_000)
    const advance = (ms: number) => {
      elapsed += ms
      clock.advance(ms)
    }
    clock.jumpTo(clock.now() + 3_600_000)
    advance(59_999)
    expect(task.aborted).toBe(false)
    advance(1)
    expect(task.aborted).toBe(true)
  })
})

describe('Deadlines', () => {
  test('Deadlines keep the process alive only while there is a task', () => {
    const clock = testClock()
    const keepAlive = vi.fn<(isNeeded: boolean) => void>()
    const schedule = (ms: number, callback: () => void) => Object.assign(clock.schedule(ms, callback), { keepAlive })
    const deadlines = new Deadlines({ ...clock, schedule })
    const [first, second] = [new Task(), new Task()]
    deadlines.set(first, 1_000)
    deadlines.set(second, 1_000)
    deadlines.remove(first)
    expect(keepAlive.mock.calls).toEqual([])
    deadlines.remove(second)
    deadlines.set(first, 2_000)
    expect(keepAlive.mock.calls).toEqual([[false], [true]])
    clock.advance(2_000)
    expect(first.aborted).toBe(true)
  })

  test('Deadlines abort every task', () => {
    const { deadlines, open } = setup()
    const tasks = [open(1_000), open(Infinity)]
    deadlines.abortAll(new Error('closed'))
    expect(tasks.map(({ reason }) => reason)).toEqual([new Error('closed'), new Error('closed')])
  })
})
