import type { UpstreamAnswer, UpstreamRequest } from '../fakes/test-upstream.ts'
import { replaying, replyPieces, startReply } from '../fakes/recorded-exchange.ts'
import { withinASecond } from '../fakes/event-loop.ts'
import { expect } from 'vitest'
import { filledIn, suiteCall } from './ask-provider.ts'
import type { SuiteTester } from './suite-tester.ts'
import { firstHalf } from './reply-variants.ts'
import { expectAborted, type KindReplay, type SuiteWorld } from './suite-world.ts'

/** An abort ends the work of the upstream too. */
export function abortTests(tester: SuiteTester, replay: KindReplay): void {
  const { kind, exchange } = replay
  const moments: Readonly<Record<string, UpstreamAnswer>> = {
    'before the reply': () => {},
    'in the middle of the reply': (response) => {
      startReply(response, exchange.reply)
      response.write(firstHalf(exchange.reply))
    },
  }
  for (const [moment, how] of Object.entries(moments)) {
    tester.test(`hangs up within a second of an abort ${moment} (${kind})`, async (world) => {
      const controller = new AbortController()
      const reason = new Error('the caller left')
      const { asked, reached } = begin(world, replay, how, controller.signal)
      const { hungUp } = await reached
      controller.abort(reason)
      await expectAborted(asked, reason)
      expect(await withinASecond(hungUp)).toBeUndefined()
    })
  }
  if (kind === 'stream') {
    tester.test('hangs up within a second of an abort after each piece', (world) => expectEachAbort(world, replay))
  }
  tester.test(`does not abort other calls (${kind})`, async (world) => {
    const controller = new AbortController()
    const { asked, reached } = begin(world, replay, () => {}, controller.signal)
    await reached
    world.answer(replay, (response, request) => {
      controller.abort(new Error('the caller left'))
      return replaying(exchange.reply)(response, request)
    })
    expect(await world.ask(kind, replay.request)).toMatchObject(replay.answer)
    expect(await withinASecond(asked.catch(() => undefined))).toBeUndefined()
  })
  if (kind !== 'stream') return
  tester.test('hangs up within a second when a stream is no longer read', async (world) => {
    const reached = Promise.withResolvers<UpstreamRequest>()
    world.answer(replay, (response, request) => {
      startReply(response, exchange.reply)
      for (const piece of replyPieces(exchange.reply).slice(0, -1)) response.write(piece)
      reached.resolve(request)
    })
    const request = await filledIn(world.provider, kind, replay.request)
    for await (const event of world.provider.streamText!(request, suiteCall('stream'))) {
      if (event.type === 'part_delta') break
    }
    const { hungUp } = await reached.promise
    expect(await withinASecond(hungUp)).toBeUndefined()
  })
}

/** The caller leaves while it has all pieces so far, and waits for the next. */
async function expectEachAbort(world: SuiteWorld, replay: KindReplay) {
  const pieces = replyPieces(replay.exchange.reply)
  for (let count = 1; count < Math.min(pieces.length, maxAborts); count++) {
    const controller = new AbortController()
    const reason = new Error(`the caller left after ${count} pieces`)
    const { asked, reached } = begin(
      world,
      replay,
      (response) => {
        startReply(response, replay.exchange.reply)
        return new Promise((resolve) => void response.write(Buffer.concat(pieces.slice(0, count)), () => resolve()))
      },
      controller.signal,
    )
    const { hungUp } = await reached
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
    controller.abort(reason)
    await expectAborted(asked, reason)
    expect(await withinASecond(hungUp)).toBeUndefined()
  }
}

const maxAborts = 20

/** Starts a call, and tells when its request has reached the upstream. */
function begin(world: SuiteWorld, replay: KindReplay, how: UpstreamAnswer, signal: AbortSignal) {
  const reached = Promise.withResolvers<UpstreamRequest>()
  world.answer(replay, async (response, request) => {
    await how(response, request)
    reached.resolve(request)
  })
  const asked = world.ask(replay.kind, replay.request, { signal })
  asked.catch(() => {})
  return { asked, reached: reached.promise }
}
