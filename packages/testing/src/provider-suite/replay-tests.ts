import { type RecordedReply, replaying, replyPieces, startReply } from '../fakes/recorded-exchange.ts'
import type { UpstreamAnswer, UpstreamRequest } from '../fakes/test-upstream.ts'
import { type ImageRequest, checkPng, answerText } from '@fairlead/core/provider'
import type { ServerResponse } from 'node:http'
import { expect } from 'vitest'
import { contentLeaf, findLeaves } from './reply-variants.ts'
import { findTokens, isTokenRequest, playScript, withOtherIds } from './script.ts'
import { joinContent } from './stream-tests.ts'
import type { SuiteTester } from './suite-tester.ts'
import { expectShortBlocks, type KindReplay, type SuiteWorld } from './suite-world.ts'

/** How a provider maps requests and replies. */
export function replayTests(tester: SuiteTester, replay: KindReplay): void {
  const { kind, exchange, answer } = replay
  tester.test(`sends the documented request with its key (${kind})`, (world) => expectRequest(world, replay))
  tester.test(`reads the documented reply (${kind})`, (world) => expectAnswer(world, replay))
  tester.slowTest(`does not block the event loop for more than 50 ms (${kind}, replayed)`, async (world) => {
    world.answer(replay, replaying(exchange.reply))
    await expectShortBlocks(() => world.ask(kind, replay.request))
  })
  tester.test(`asks the API again for the same request (${kind})`, (world) => expectAskedAgain(world, replay))
  if (kind !== 'text' && kind !== 'stream') return
  const hasContent = contentLeaf(exchange.reply, joinContent(answer))
  const whyNot = () => (hasContent ? undefined : 'no text of the recorded reply is part of the content')
  tester.test(`returns the content unchanged (${kind})`, (world) => expectContent(world, replay), whyNot)
  tester.test(`reads the token counts of the reply (${kind})`, (world) => expectUsage(world, replay))
  tester.slowTest(`ends with length when the reply was cut off (${kind})`, (world) => expectLength(world, replay))
  tester.test(`keeps two calls at once apart (${kind})`, (world) => expectApart(world, replay), whyNot)
}

/** The reply may be a refusal. */
export async function expectRequest(world: SuiteWorld, replay: KindReplay): Promise<void> {
  world.answer(replay, replaying(replay.exchange.reply))
  await world.ask(replay.kind, replay.request).catch(() => {})
  const { requests } = world.upstream
  const sent = requests.map(({ method, path, body }) => ({ method, path, ...(body === '' ? {} : { body }) }))
  expect(sent).toEqual(replay.exchanges.map(({ request }) => request))
  for (const { headers, body } of requests) {
    if (typeof body === 'object') expect(headers['content-type'], 'the type of a JSON body').toMatch(/json/)
  }
  const tokens = findTokens(replay, requests)
  for (const request of requests) {
    const secrets = replay.token && !isTokenRequest(replay, request) ? tokens : [world.apiKey]
    const message = `the request to ${request.path} needs the ${replay.token && secrets === tokens ? 'token' : 'API key'}`
    if (!secrets.some((secret) => hasSecret(request, secret))) expect.fail(message)
  }
}

/** Whether a request has a secret, by itself or as the password of basic authentication. */
function hasSecret({ path, headers, text }: UpstreamRequest, secret: string): boolean {
  const [, basic = ''] = /^basic (.*)$/i.exec(headers.authorization ?? '') ?? []
  return [path, JSON.stringify(headers), text, Buffer.from(basic, 'base64').toString()].join('\n').includes(secret)
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

/** The upstream answers the second of two calls first, each with its own text and ids, and sends both by turns. */
async function expectApart(world: SuiteWorld, replay: KindReplay) {
  const leaf = contentLeaf(replay.exchange.reply, joinContent(replay.answer))!
  const names = ['first', 'second'] as const
  const ready: { readonly response: ServerResponse; readonly body: Buffer }[] = []
  const sendBoth = () => {
    const replies = ready.toReversed()
    for (const { response, body } of replies) response.write(body.subarray(0, body.length / 2))
    for (const { response, body } of replies) response.end(body.subarray(body.length / 2))
  }
  const players = names.map((name) => {
    const script = withOtherIds(replay, `-${name}`)
    const reply = leaf.with(`reply to the ${name}`)
    const how: UpstreamAnswer = (response) => {
      startReply(response, reply)
      const body = Buffer.concat(replyPieces(reply))
      if (ready.push({ response, body }) === names.length) sendBoth()
    }
    return { name, script, play: playScript(script, new Map([[script.exchange, how]])) }
  })
  world.upstream.answer((response, request) => {
    const sent = JSON.stringify([request.path, request.body])
    const isOf = (name: string) => sent.includes(`the ${name} call`) || sent.includes(`-${name}`)
    return (players.find(({ name }) => isOf(name)) ?? players[0]!).play(response, request)
  })
  const ask = (name: string) => world.ask(replay.kind, { ...replay.request, prompt: `This is the ${name} call.` })
  const answers = await Promise.all(names.map(ask))
  const expected = names.map((name) => joinContent(replay.answer).replace(leaf.value, `reply to the ${name}`))
  expect(answers.map(answerText)).toEqual(expected)
}

/** A provider that keeps answers takes them from core's cache, its accounts, and its events. */
async function expectAskedAgain(world: SuiteWorld, replay: KindReplay) {
  world.answer(replay, replaying(replay.exchange.reply))
  await world.ask(replay.kind, replay.request)
  let asked = 0
  world.answer(replay, (response, request) => {
    asked++
    return replaying(replay.exchange.reply)(response, request)
  })
  await world.ask(replay.kind, replay.request)
  expect(asked, 'requests for the second of two equal calls').toBe(1)
}
