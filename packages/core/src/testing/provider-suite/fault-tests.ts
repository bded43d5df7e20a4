import { expect } from 'vitest'
import { providerAnswers } from '../../gateway/ask-provider.ts'
import { ProviderError } from '../../gateway/provider-error.ts'
import { type RecordedReply, replaying, replyPieces, startReply } from '../recorded-exchange.ts'
import type { UpstreamAnswer } from '../test-upstream.ts'
import { answerInTurn } from './answer-in-turn.ts'
import { askProvider } from './ask-provider.ts'
import { expectFailure, movingOn } from './expect-failure.ts'
import type { KindReplay, SuiteTester, SuiteWorld } from './suite-tester.ts'
import { wrongTypes } from './wrong-types.ts'

/** What networks and foreign APIs do to a call, and what has to come of it. */
export function faultTests(tester: SuiteTester, replay: KindReplay): void {
  const { kind, exchange } = replay
  const whole = replyPieces(exchange.reply).join('')
  const half = whole.slice(0, whole.length / 2)

  const failures: Readonly<Record<string, UpstreamAnswer>> = {
    'hangs up before it answers': (response) => void response.destroy(),
    'hangs up in its answer': (response) => {
      startReply(response, exchange.reply)
      response.write(half, () => response.destroy())
    },
    'ends its answer too early': (response) => {
      startReply(response, exchange.reply)
      response.end(half)
    },
    'answers with a web page': replaying({ headers: { 'content-type': 'text/html' }, text: '<html>Sign in</html>' }),
    'answers with nothing': (response) => {
      startReply(response, exchange.reply)
      response.end()
    },
    'answers with an error that it calls a success': replaying({ json: { error: { message: 'lost the network' } } }),
    'answers without end': (response) => {
      startReply(response, exchange.reply)
      response.write(half)
      const more = () => {
        while (!response.destroyed && response.write(endlessPiece));
      }
      response.on('drain', more)
      more()
    },
  }
  for (const [fault, answer] of Object.entries(failures)) {
    tester.test(`fails when the upstream of ${kind} ${fault}`, (world) =>
      expectFailure(world, replay, answer, movingOn),
    )
  }
  tester.test(`takes no cut-off answer of ${kind} for a whole one`, (world) => expectNoHalves(world, replay))
  tester.test(`survives every wrong type in the answer of ${kind}`, (world) => expectSurvival(world, replay))
}

const endlessPiece = 'a'.repeat(256 * 1024)

/** Whatever a provider makes of a beginning, it may be a failure or all there is, and nothing between. */
async function expectNoHalves({ upstream, another }: SuiteWorld, replay: KindReplay) {
  const { kind, request, exchange } = replay
  const pieces = replyPieces(exchange.reply)
  const cuts = pieces.length > 1 ? pieces.map((_, count) => pieces.slice(0, count).join('')) : quarters(pieces[0]!)
  const { usage: _usage, warnings: _warnings, ...essential } = replay.answer
  for (const beginning of cuts) {
    answerInTurn(upstream, replay, (response) => {
      startReply(response, exchange.reply)
      response.end(beginning)
    })
    const outcome = await askProvider(await another(), kind, request).catch((error: unknown) => error)
    if (outcome instanceof ProviderError) expect(outcome.failure).toMatch(movingOn)
    else expect(outcome).toMatchObject(essential)
  }
}

function quarters(text: string): readonly string[] {
  return [0, 0.25, 0.5, 0.75].map((share) => text.slice(0, text.length * share))
}

async function expectSurvival({ upstream, another }: SuiteWorld, replay: KindReplay) {
  const { kind, request, exchange } = replay
  for (const reply of wrongReplies(exchange.reply)) {
    answerInTurn(upstream, replay, replaying(reply))
    const outcome = await askProvider(await another(), kind, request).catch((error: unknown) => error)
    if (!(outcome instanceof ProviderError)) expect(() => answerSchemas[kind].parse(outcome)).not.toThrow()
  }
}

const answerSchemas = {
  text: providerAnswers.text,
  stream: providerAnswers.text,
  image: providerAnswers.image,
  analysis: providerAnswers.analysis,
}

function* wrongReplies(reply: RecordedReply): Generator<RecordedReply, void, undefined> {
  for (const json of wrongTypes(reply.json)) yield { ...reply, json }
  for (const [index, { event, data }] of (reply.events ?? []).entries()) {
    for (const wrong of wrongTypes(data)) {
      const events = reply.events!.with(index, { ...(event === undefined ? {} : { event }), data: wrong })
      yield { ...reply, events }
    }
  }
}
