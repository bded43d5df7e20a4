import { expect } from 'vitest'
import { checkPng } from '../../gateway/ask-provider.ts'
import type { ImageRequest } from '../../gateway/provider.ts'
import { replaying, replyPieces, startReply } from '../recorded-exchange.ts'
import { answerInTurn } from './answer-in-turn.ts'
import { askProvider, filledIn, suiteCall } from './ask-provider.ts'
import type { KindReplay, SuiteTester, SuiteWorld } from './suite-tester.ts'

/** What a recorded exchange shows of the mapping, both ways. */
export function replayTests(tester: SuiteTester, replay: KindReplay): void {
  const { kind } = replay
  tester.test(`sends the documented request for ${kind}, with its key`, (world) => expectRequest(world, replay))
  tester.test(`reads the documented answer of ${kind}`, (world) => expectAnswer(world, replay))
  if (kind === 'stream') tester.test('passes on each piece when it comes', (world) => expectPieces(world, replay))
}

async function expectRequest({ provider, upstream, apiKey }: SuiteWorld, replay: KindReplay) {
  answerInTurn(upstream, replay, replaying(replay.exchange.reply))
  await askProvider(provider, replay.kind, replay.request)
  const sent = upstream.requests.map(({ method, path, body }) => ({ method, path, ...(body === '' ? {} : { body }) }))
  expect(sent).toEqual([...replay.before, replay.exchange].map(({ request }) => request))
  expect(JSON.stringify(upstream.requests.at(-1)?.headers)).toContain(apiKey)
}

async function expectAnswer({ provider, upstream }: SuiteWorld, replay: KindReplay) {
  answerInTurn(upstream, replay, replaying(replay.exchange.reply))
  const read = await askProvider(provider, replay.kind, replay.request)
  expect(read).toMatchObject(replay.answer)
  if (replay.kind === 'image') checkPng(read.png, replay.request as ImageRequest)
}

/** The last piece is held back until a text came through. */
async function expectPieces({ provider, upstream }: SuiteWorld, replay: KindReplay) {
  const pieces = replyPieces(replay.exchange.reply)
  let sendLast = () => {}
  answerInTurn(upstream, replay, (response) => {
    startReply(response, replay.exchange.reply)
    for (const piece of pieces.slice(0, -1)) response.write(piece)
    sendLast = () => void response.end(pieces.at(-1))
  })
  const request = await filledIn(provider, 'stream', replay.request)
  const events = provider.streamText!(request, suiteCall())[Symbol.asyncIterator]()
  const seen = [(await events.next()).value]
  expect(seen).toMatchObject([{ type: 'text' }])
  sendLast()
  for (let next = await events.next(); !next.done; next = await events.next()) seen.push(next.value)
  expect(seen.map((event) => event?.type)).toEqual([...seen.slice(1).map(() => 'text'), 'finish'])
}
