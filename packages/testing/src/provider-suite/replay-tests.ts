import { type RecordedReply, replaying, replyPieces, startReply } from '../fakes/recorded-exchange.ts'
import type { UpstreamAnswer } from '../fakes/test-upstream.ts'
import { withinASecond } from '../fakes/event-loop.ts'
import { type ImageRequest, type TextAnswer, type TextEvent, checkPng, answerText } from '@fairlead/core/provider'
import { expect } from 'vitest'
import { filledIn, suiteCall } from './ask-provider.ts'
import { contentLeaf, findLeaves } from './reply-variants.ts'
import type { SuiteTester } from './suite-tester.ts'
import { expectShortBlocks, type KindReplay, type SuiteWorld } from './suite-world.ts'

/** How a provider maps requests and replies. */
export function replayTests(tester: SuiteTester, replay: KindReplay): void {
  const { kind, exchange, answer } = replay
  tester.test(`sends the documented request with its key (${kind})`, (world) => expectRequest(world, replay))
  tester.test(`reads the documented reply (${kind})`, (world) => expectAnswer(world, replay))
  tester.test(`does not block the event loop for more than 50 ms (${kind}, replayed)`, async (world) => {
    world.answer(replay, replaying(exchange.reply))
    await expectShortBlocks(() => world.ask(kind, replay.request))
  })
  if (kind !== 'text' && kind !== 'stream') return
  const hasContent = contentLeaf(exchange.reply, joinContent(answer))
  const whyNot = () => (hasContent ? undefined : 'no text of the recorded reply is part of the content')
  tester.test(`returns the content unchanged (${kind})`, (world) => expectContent(world, replay), whyNot)
  tester.test(`reads the token counts of the reply (${kind})`, (world) => expectUsage(world, replay))
  tester.test(`ends with length when the reply was cut off (${kind})`, (world) => expectLength(world, replay))
  tester.test(`keeps two calls at once apart (${kind})`, (world) => expectApart(world, replay), whyNot)
  if (kind === 'text') return
  tester.test('passes on each piece as it arrives', (world) => expectPieces(world, replay))
  tester.test('keeps the order of the pieces', (world) => expectOrder(world, replay), whyNot)
}

/** The reply may be a refusal. */
export async function expectRequest(world: SuiteWorld, replay: KindReplay): Promise<void> {
  world.answer(replay, replaying(replay.exchange.reply))
  await world.ask(replay.kind, replay.request).catch(() => {})
  const { requests } = world.upstream
  const sent = requests.map(({ method, path, body }) => ({ method, path, ...(body === '' ? {} : { body }) }))
  expect(sent).toEqual([...replay.before, replay.exchange].map(({ request }) => request))
  expect(JSON.stringify(requests.at(-1)?.headers)).toContain(world.apiKey)
}

async function expectAnswer(world: SuiteWorld, replay: KindReplay) {
  world.answer(replay, replaying(replay.exchange.reply))
  const answer = await world.ask(replay.kind, replay.request)
  expect(answer).toMatchObject(replay.answer)
  if (replay.kind === 'image') checkPng(answer.png, replay.request as ImageRequest)
}

/** Text that a provider might be tempted to trim, shorten, unescape, or normalize. */
const demandingText = ` \t# Title\r\n\n  * "quoted" \\n <b>&amp;</b> 世界 👩‍👩‍👧 e\u0301 \u00e9\n${'word '.repeat(4_000)}end \n`

async function expectContent(world: SuiteWorld, { ...replay }: KindReplay) {
  const leaf = contentLeaf(replay.exchange.reply, joinContent(replay.answer))!
  expect(answerText(await askAbout(world, replay, leaf.with(demandingText)))).toBe(
    joinContent(replay.answer).replace(leaf.value, () => demandingText),
  )
}

/** Changes one number of the reply after another: some of them must change the counts. */
async function expectUsage(world: SuiteWorld, replay: KindReplay) {
  const { reply } = replay.exchange
  const { usage } = await askAbout(world, replay, reply)
  if (!usage) return
  const changed = { promptTokens: false, completionTokens: false }
  for (const leaf of findLeaves(reply)) {
    if (typeof leaf.value !== 'number') continue
    const other = await askAbout(world, replay, leaf.with(leaf.value + 1_009)).catch(() => undefined)
    changed.promptTokens ||= other?.usage !== undefined && other.usage.promptTokens !== usage.promptTokens
    changed.completionTokens ||= other?.usage !== undefined && other.usage.completionTokens !== usage.completionTokens
  }
  expect({ usage, changed }).toEqual({ usage, changed: { promptTokens: true, completionTokens: true } })
}

const cutOffWords = ['length', 'max_tokens', 'MAX_TOKENS', 'limit', 'max_output_tokens', 'model_length', 'token_limit']
const maxWordLength = 40

async function expectLength(world: SuiteWorld, replay: KindReplay) {
  const { cutOff, exchange, answer } = replay
  if (cutOff) {
    expect((await askAbout(world, replay, cutOff)).finishReason).toBe('length')
    return
  }
  for (const { value, with: replaced } of findLeaves(exchange.reply)) {
    if (typeof value !== 'string' || value.length > maxWordLength || joinContent(answer).includes(value)) continue
    for (const word of cutOffWords) {
      const other = await askAbout(world, replay, replaced(word)).catch(() => undefined)
      if (other?.finishReason === 'length') return
    }
  }
  const advice = 'if the API has another word for it, give the replay a `cutOff` reply'
  expect.fail(`no usual word for a cut-off response made the finish reason "length"; ${advice}`)
}

async function askAbout(world: SuiteWorld, replay: KindReplay, reply: RecordedReply) {
  world.answer(replay, replaying(reply))
  return world.ask(replay.kind, replay.request)
}

/** The upstream answers the second of two calls first, and each with its own text. */
async function expectApart(world: SuiteWorld, replay: KindReplay) {
  const leaf = contentLeaf(replay.exchange.reply, joinContent(replay.answer))!
  const names = ['first', 'second'] as const
  const send: (() => void)[] = []
  const how: UpstreamAnswer = (response, request) => {
    const name = JSON.stringify(request.body).includes('the second call') ? 'second' : 'first'
    send.push(() => void replaying(leaf.with(`reply to the ${name}`))(response, request))
    if (send.length === names.length) send.toReversed().forEach((now) => now())
  }
  world.answer(replay, how)
  const ask = (name: string) => world.ask(replay.kind, { ...replay.request, prompt: `This is the ${name} call.` })
  const answers = await Promise.all(names.map(ask))
  const expected = names.map((name) => joinContent(replay.answer).replace(leaf.value, `reply to the ${name}`))
  expect(answers.map(answerText)).toEqual(expected)
}

/** The last piece is held back until a text came through. */
async function expectPieces(world: SuiteWorld, replay: KindReplay) {
  const pieces = replyPieces(replay.exchange.reply)
  let sendLast = () => {}
  world.answer(replay, (response) => {
    startReply(response, replay.exchange.reply)
    for (const piece of pieces.slice(0, -1)) response.write(piece)
    sendLast = () => void response.end(pieces.at(-1))
  })
  const request = await filledIn(world.provider, 'stream', replay.request)
  const events = textsAndEnd(world.provider.streamText!(request, suiteCall()))
  const first = await withinASecond(events.next())
  sendLast()
  expect(first).toMatchObject({ value: { type: 'part_delta' } })
  const seen = [(first as Awaited<ReturnType<typeof events.next>>).value]
  for (let next = await events.next(); !next.done; next = await events.next()) seen.push(next.value)
  expect(seen.map((event) => event?.type)).toEqual([...seen.slice(1).map(() => 'part_delta'), 'finish'])
}

async function* textsAndEnd(events: AsyncIterable<TextEvent>): AsyncGenerator<TextEvent, void, undefined> {
  for await (const event of events)
    if (event.type === 'finish' || (event.type === 'part_delta' && event.text)) yield event
}

function joinContent({ parts = [] }: { readonly parts?: TextAnswer['parts'] }): string {
  return answerText({ parts })
}

async function expectOrder(world: SuiteWorld, replay: KindReplay) {
  const { reply } = replay.exchange
  const leaf = contentLeaf(reply, joinContent(replay.answer))!
  const texts = Array.from({ length: 20 }, (_, number) => `piece ${number}; `)
  const index = leaf.index ?? 0
  const pieces = texts.map((text) => leaf.with(text).events?.[index] ?? { data: text })
  const answer = await askAbout(world, replay, { ...reply, events: reply.events!.toSpliced(index, 1, ...pieces) })
  expect(answerText(answer)).toBe(joinContent(replay.answer).replace(leaf.value, texts.join('')))
}
