import { type RecordedReply, replyPieces, startReply } from '../fakes/recorded-exchange.ts'
import type { UpstreamAnswer } from '../fakes/test-upstream.ts'
import { answerText } from '@fairlead/core/provider'
import { expect } from 'vitest'
import { contentLeaf, streamedValues } from './reply-variants.ts'
import { joinContent } from './stream-tests.ts'
import type { SuiteTester } from './suite-tester.ts'
import type { KindReplay, SuiteWorld } from './suite-world.ts'

/** The forms in which the same reply may arrive. */
export function framingTests(tester: SuiteTester, replay: KindReplay): void {
  const { kind, exchange } = replay
  tester.test(`joins the bytes of a character that arrive apart (${kind})`, (world) => expectJoined(world, replay))
  if (streamedValues(exchange.reply) === undefined) return
  for (const [form, change] of Object.entries(forms)) {
    const whyNot = () => (change(exchange.reply) ? undefined : 'its reply has another form')
    tester.test(`reads a stream with ${form} (${kind})`, (world) => expectRead(world, replay, change), whyNot)
  }
}

const manyBytes = 'Zażółć 世界 👩‍👩‍👧 €'
/** A reply of more bytes arrives in pieces of several. */
const maxPieces = 2_000

async function expectJoined(world: SuiteWorld, replay: KindReplay) {
  const { reply } = replay.exchange
  const isText = replay.kind === 'text' || replay.kind === 'stream'
  const leaf = isText ? contentLeaf(reply, joinContent(replay.answer)) : undefined
  const body = Buffer.concat(replyPieces(leaf?.with(manyBytes) ?? reply))
  world.answer(replay, inPieces(reply, body, Math.ceil(body.length / maxPieces)))
  const answer = await world.ask(replay.kind, replay.request)
  if (leaf) expect(answerText(answer)).toBe(joinContent(replay.answer).replace(leaf.value, () => manyBytes))
  else expect(answer).toMatchObject(replay.answer)
}

/** Sends a body so that the reader gets each piece by itself. */
function inPieces(reply: RecordedReply, body: Buffer, length: number): UpstreamAnswer {
  return async (response) => {
    startReply(response, reply)
    for (let start = 0; start < body.length && !response.destroyed; start += length) {
      response.write(body.subarray(start, start + length))
      for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve))
    }
    response.end()
  }
}

/** Other spellings of the same stream, which its format allows; undefined for a reply of another format. */
const forms: Readonly<Record<string, (reply: RecordedReply) => string | undefined>> = {
  'other line ends': (reply) => (reply.array ? undefined : bodyText(reply).replaceAll('\n', '\r\n')),
  'empty lines and comments': (reply) => {
    if (reply.array) return undefined
    if (reply.lines) return bodyText(reply).replaceAll('\n', '\n\n')
    return `: welcome\n\n${bodyText(reply).replaceAll('\n\n', '\n\n: ping\n\n')}`
  },
  'no line end at its end': ({ lines, ...reply }) => (lines ? bodyText({ lines, ...reply }).trimEnd() : undefined),
  'no space after its field names': ({ events, ...reply }) =>
    events ? bodyText({ events, ...reply }).replaceAll(/^(data|event): /gm, '$1:') : undefined,
  'spaces between its items': ({ array }) =>
    array && `[\n  ${array.map((item) => JSON.stringify(item, undefined, 1)).join('\n,\n  ')}\n]\n`,
}

function bodyText(reply: RecordedReply): string {
  return Buffer.concat(replyPieces(reply)).toString()
}

async function expectRead(world: SuiteWorld, replay: KindReplay, change: (reply: RecordedReply) => string | undefined) {
  const { reply } = replay.exchange
  world.answer(replay, (response) => {
    startReply(response, reply)
    response.end(change(reply))
  })
  expect(await world.ask(replay.kind, replay.request)).toMatchObject(replay.answer)
}
