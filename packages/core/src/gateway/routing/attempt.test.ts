import { expect, test } from 'vitest'
import { silentLog } from '@fairlead/testing/workspace'
import { Task, Deadlines } from '../../runtime/run/task.ts'
import { scripted, testClock } from '@fairlead/testing'
import { Attempt, type AttemptOwner } from './attempt.ts'
import { defaultTimeouts } from './route-options.ts'
import { openStream as openStreamOf } from './router.ts'
import { createTargetStates } from './targets.ts'
import { RoutedCall } from './routed-call.ts'

class Caller extends Task implements AttemptOwner {
  readonly requestId = 'req_1'
  readonly caller = { kind: 'anonymous' } as const
  note() {}
  warn() {}

  get signal() {
    return this.openSignal()
  }
}

function setup() {
  const clock = testClock()
  const deadlines = new Deadlines(clock)
  const circuit = { failures: 5, openMs: 10_000 }
  const concurrency = { perTarget: 1, queue: 1, accountShare: 1 }
  const states = createTargetStates({ clock, log: silentLog, observer: {}, circuit, concurrency })
  const target = { provider: scripted('calm', 'hello'), id: 'any' }
  const state = states.of(target)
  const call = {
    kind: 'whole',
    capability: 'generateText',
    route: undefined,
    account: undefined,
    isOnlyTarget: true,
    waited: () => {},
  } as const
  const open = (owner: AttemptOwner = new Caller()) =>
    new Attempt({ clock, deadlines, observer: {} }, owner, state, call, target, 1_000)
  const openStream = () => {
    const retries = { perTarget: 2, budget: { earn: () => {}, spend: () => false }, random: () => 0 }
    const closed = new AbortController().signal
    const rules = { clock, deadlines, log: silentLog, observer: {}, closed, states, random: () => 0, retries }
    return openStreamOf(
      new RoutedCall(rules, { targets: [target] }, new Caller(), 'streamText', defaultTimeouts, undefined, undefined),
      target,
    )
  }
  return { clock, state, open, openStream }
}

test('a call that was canceled before it started does not queue', async () => {
  const { state, open } = setup()
  const first = open()
  expect(first.start()).toBe(true)
  const owner = new Caller()
  owner.abort(new Error('canceled'))
  const canceled = open(owner)
  await expect(canceled.start()).rejects.toThrow('canceled')
  canceled.fail(new Error('canceled'))
  first.succeed()
  expect(state.bulkhead).toMatchObject({ inFlight: 0, queued: 0 })
})

test('a copy of the call of a provider works as the call does', async () => {
  const { clock, state, open } = setup()
  const attempt = open()
  attempt.start()
  const { signal, deadline, requestId, waitUntil } = { ...attempt }
  expect({ deadline, requestId }).toEqual({ deadline: clock.now() + 1_000, requestId: 'req_1' })
  const work = Promise.withResolvers<void>()
  waitUntil(work.promise)
  clock.advance(1_000)
  expect(signal.aborted).toBe(true)
  attempt.fail(new Error('late'))
  expect(state.bulkhead.inFlight).toBe(1)
  work.resolve()
  await expect.poll(() => state.bulkhead.inFlight).toBe(0)
})

test('a ping after the end of a stream sets no deadline', () => {
  const { clock, openStream } = setup()
  const attempt = openStream()
  attempt.start()
  attempt.succeed()
  attempt.alive()
  clock.advance(24 * 3_600_000)
  expect(attempt.aborted).toBe(false)
})
