import { expect, test } from 'vitest'
import { scripted } from '../../testing/fake-providers.ts'
import { testClock } from '../../testing/test-clock.ts'
import { silentLog } from '../../runtime/log.ts'
import { noMeter } from './targets.ts'
import { openAttempt } from './attempt.ts'
import { createTargetStates } from './targets.ts'

test('an attempt whose caller has left takes no place in the queue', async () => {
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
      shareMs: 1_000,
      endAt: Infinity,
    })
  const first = open(new AbortController().signal)
  expect(first.enter()).toBe(true)
  const late = open(AbortSignal.abort(new Error('left')))
  await expect(late.enter()).rejects.toThrow('left')
  late.failed(new Error('left'))
  first.finished()
  expect(state.bulkhead).toMatchObject({ inFlight: 0, queued: 0 })
})
