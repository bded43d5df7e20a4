import type { UpstreamAnswer } from '../fakes/test-upstream.ts'
import { replaying, replyPieces, startReply } from '../fakes/recorded-exchange.ts'
import { ProviderError, providerResponses } from '@fairlead/core/provider'
import { expect } from 'vitest'
import { embeddingAnswer } from './embedding-tests.ts'
import { firstHalf, wrongReplies } from './reply-variants.ts'
import type { SuiteTester } from './suite-tester.ts'
import { expectFailure, type KindReplay, movesOn, type SuiteWorld } from './suite-world.ts'

/** The faults of networks and APIs. */
export function faultTests(tester: SuiteTester, replay: KindReplay): void {
  const { kind, exchange } = replay
  const half = firstHalf(exchange.reply)

  const faults: Readonly<Record<string, UpstreamAnswer>> = {
    'hangs up before its reply': (response) => void response.destroy(),
    'hangs up in the middle of its reply': (response) => {
      startReply(response, exchange.reply)
      response.write(half, () => response.destroy())
    },
    'ends its reply too early': (response) => {
      startReply(response, exchange.reply)
      response.end(half)
    },
    'replies with a web page': replaying({ headers: { 'content-type': 'text/html' }, text: '<html>Sign in</html>' }),
    'replies with nothing': (response) => {
      startReply(response, exchange.reply)
      response.end()
    },
    'replies with an error and status 200': replaying({ json: { error: { message: 'lost the network' } } }),
    'replies without end': (response) => {
      startReply(response, exchange.reply)
      response.write(half)
      const more = () => {
        while (!response.destroyed && response.write(endlessPiece));
      }
      response.on('drain', more)
      more()
    },
  }
  for (const [fault, how] of Object.entries(faults)) {
    const declare = fault === 'replies without end' ? tester.slowTest : tester.test
    declare(`fails if the upstream ${fault} (${kind})`, (world) => expectFailure(world, replay, how, movesOn))
  }
  tester.slowTest(`never returns a truncated reply as complete (${kind})`, (world) => expectNoHalves(world, replay))
  tester.slowTest(`survives every wrong type in the reply (${kind})`, (world) => expectSurvival(world, replay))
}

const endlessPiece = 'a'.repeat(256 * 1024)

/** The beginning of a reply is a failure, or the complete answer. */
async function expectNoHalves(world: SuiteWorld, replay: KindReplay) {
  const { kind, request, exchange } = replay
  const pieces = replyPieces(exchange.reply)
  const cuts =
    pieces.length > 1 ? pieces.map((_, count) => Buffer.concat(pieces.slice(0, count))) : quarters(pieces[0]!)
  const { usage: _usage, warnings: _warnings, ...essential } = replay.answer
  for (const beginning of cuts) {
    world.answer(replay, (response) => {
      startReply(response, exchange.reply)
      response.end(beginning)
    })
    const provider = await world.another()
    const outcome = await world.ask(kind, request, { provider }).catch((error: unknown) => error)
    if (outcome instanceof ProviderError) expect(outcome.failure).toMatch(movesOn)
    else expect(outcome).toMatchObject(essential)
  }
}

function quarters(body: Buffer): readonly Buffer[] {
  return [0, 0.25, 0.5, 0.75].map((share) => body.subarray(0, body.length * share))
}

export async function expectSurvival(
  world: SuiteWorld,
  replay: KindReplay,
  values?: readonly unknown[],
): Promise<void> {
  const { kind, request, exchange } = replay
  for (const reply of wrongReplies(exchange.reply, values)) {
    world.answer(replay, replaying(reply))
    world.upstream.forget()
    const outcome = await world.ask(kind, request).catch((error: unknown) => error)
    expect(world.upstream.requests.length, 'requests after a wrong reply').toBeGreaterThan(0)
    if (!(outcome instanceof ProviderError)) expect(() => answerSchemas[kind].parse(outcome)).not.toThrow()
  }
}

const answerSchemas = {
  text: providerResponses.text,
  stream: providerResponses.text,
  image: providerResponses.image,
  analysis: providerResponses.analysis,
  embedding: embeddingAnswer,
}
