import { expect } from 'vitest'
import { replyPieces, startReply } from '../recorded-exchange.ts'
import type { UpstreamAnswer, UpstreamRequest } from '../test-upstream.ts'
import { answerInTurn } from './answer-in-turn.ts'
import { askProvider, filledIn, suiteCall } from './ask-provider.ts'
import { expectLeft } from './expect-left.ts'
import type { KindReplay, SuiteTester } from './suite-tester.ts'

/** Whoever leaves takes the upstream's work along. */
export function abortTests(tester: SuiteTester, replay: KindReplay): void {
  const { kind, exchange } = replay
  const moments: Readonly<Record<string, UpstreamAnswer>> = {
    'before the answer begins': () => {},
    'in the middle of the answer': (response) => {
      const whole = replyPieces(exchange.reply).join('')
      startReply(response, exchange.reply)
      response.write(whole.slice(0, whole.length / 2))
    },
  }
  for (const [moment, answer] of Object.entries(moments)) {
    tester.test(`hangs up when the caller of ${kind} leaves ${moment}`, async ({ provider, upstream }) => {
      const controller = new AbortController()
      const reason = new Error('the caller left')
      const reached = Promise.withResolvers<UpstreamRequest>()
      answerInTurn(upstream, replay, async (response, request) => {
        await answer(response, request)
        reached.resolve(request)
      })
      const asked = askProvider(provider, kind, replay.request, controller.signal)
      asked.catch(() => {})
      const { hungUp } = await reached.promise
      controller.abort(reason)
      await expectLeft(asked, reason)
      await hungUp
    })
  }
  if (kind !== 'stream') return
  tester.test('hangs up when the reader of a stream leaves', async ({ provider, upstream }) => {
    const reached = Promise.withResolvers<UpstreamRequest>()
    answerInTurn(upstream, replay, (response, request) => {
      startReply(response, exchange.reply)
      for (const piece of replyPieces(exchange.reply).slice(0, -1)) response.write(piece)
      reached.resolve(request)
    })
    const request = await filledIn(provider, kind, replay.request)
    for await (const event of provider.streamText!(request, suiteCall())) {
      expect(event.type).toBe('text')
      break
    }
    await (
      await reached.promise
    ).hungUp
  })
}
