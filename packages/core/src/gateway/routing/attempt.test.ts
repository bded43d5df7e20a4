import { expect, test } from 'vitest'
import { scripted } from '../../testing/fake-providers.ts'
import { testClock } from '../../testing/test-clock.ts'
import { silentLog } from '../../runtime/log.ts'
import { openAttempt } from './attempt.ts'
import { createTargetStates, noMeter } from './targets.ts'

test('openAttempt does not queue a call that was cancelled before it started', async () => {
  const clock = testClock()
  const circuit = { failures: 5, openMs: 10_000 }
  const concurrency = { perTarget: 1, queue: 1, accountShare: 1 }
  const states = createTargetStates({ clock, log: silentLog, meter: noMeter, circuit, concurrency })
  const state = states.of({ provider: scripted('calm', 'hello'), id: 'any' })
  const open = (signal: AbortSignal) =>
    openAttempt({
      clock,
      inFlight: new Set(),
      state,
      kind: 'whole',
      circuitCall: { account: undefined, isOnlyTarget: true },
      call: { requestId: 'req_1', signal },
      ms: 1_000,
    })
  const first = open(new AbortController().signal)
  expect(first.start()).toBe(true)
  const cancelled = open(AbortSignal.abort(new Error('cancelled')))
  await expect(cancelled.start()).rejects.toThrow('cancelled')
  cancelled.fail(new Error('cancelled'))
  first.succeed()
  expect(state.bulkhead).toMatchObject({ inFlight: 0, queued: 0 })
})
