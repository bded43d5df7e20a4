import { type RecordedReply, replaying } from '../fakes/recorded-exchange.ts'
import { withinASecond } from '../fakes/event-loop.ts'
import { type EmbeddingAnswer, type Provider, ProviderError, type TextModel } from '@fairlead/core/provider'
import { expect } from 'vitest'
import * as z from 'zod'
import { filledIn, type SuiteRequest } from './ask-provider.ts'
import { findLeaves, findLists } from './reply-variants.ts'
import { lastBodies, textsIn } from './sent-request.ts'
import type { SuiteTester } from './suite-tester.ts'
import type { KindReplay, SuiteWorld } from './suite-world.ts'

const vectors = z.array(z.array(z.number()).min(1)).min(1)

/** An answer with vectors of one length, as plain arrays: `askProvider` converts them. */
export const embeddingAnswer = z.object({
  embeddings: vectors.refine((all) => all.every(({ length }) => length === all[0]!.length), 'must have one length'),
  promptTokens: z.int().min(0).optional(),
})

/** How a provider maps the texts of a request to vectors. */
export function embeddingTests(tester: SuiteTester, replay: KindReplay): void {
  tester.test('has a replay for several texts (embedding)', async () => {
    const { embeddings = [] } = replay.answer
    expect(embeddings.length).toBeGreaterThan(1)
    expect(replay.request.texts).toHaveLength(embeddings.length)
    expect(new Set(embeddings.map((vector) => JSON.stringify(vector))).size).toBe(embeddings.length)
  })
  tester.test('sends all texts, whole and in their order, or rejects them (embedding)', (world) =>
    expectTexts(world, replay),
  )
  tester.test('keeps the order of many texts (embedding)', (world) => expectManyTexts(world, replay), noVectors(replay))
  tester.test(
    'reads the vectors in the order of their index (embedding)',
    (world) => expectIndexed(world, replay),
    noVectors(replay, isIndexed),
  )
  tester.test('invents no vector that the upstream did not return', (world) => expectCount(world, replay))
  tester.test('reads the token count of the reply (embedding)', (world) => expectTokens(world, replay))
  tester.test(
    'sends the dimensions or warns (embedding)',
    (world) => expectDimensions(world, replay),
    (provider) => (embeddingFacts(provider, replay)?.minDimensions ? undefined : 'the length of its vectors is fixed'),
  )
}

/** For a provider that calls no HTTP API. */
export async function expectVectors(world: SuiteWorld, request: SuiteRequest): Promise<void> {
  const { texts, model } = await filledIn(world.provider, 'embedding', request)
  const { embeddings } = embeddingAnswer.parse(await world.ask('embedding', request))
  const { dimensions } = embeddingFacts(world.provider, { request: { model } }) ?? {}
  expect(embeddings.map(({ length }) => length)).toEqual(texts.map(() => dimensions ?? embeddings[0]!.length))
  const reversed = embeddingAnswer.parse(await world.ask('embedding', { ...request, texts: texts.toReversed() }))
  expect(reversed.embeddings).toEqual(embeddings.toReversed())
}

async function expectTexts(world: SuiteWorld, replay: KindReplay) {
  const demanding = (index: number) => `  text ${index}\n${'of a long list, '.repeat(500)}\t"世界" e\u0301 ${index}\n `
  const texts = (replay.request.texts ?? []).map((_, index) => demanding(index))
  const outcome = await embed(world, replay, { ...replay.request, texts }).catch((error: unknown) => error)
  if (outcome instanceof ProviderError) {
    expect(outcome.failure).toMatch(/^(invalid_request|too_long)$/)
    return
  }
  const sent = textsIn(lastBodies(world)).filter((text) => texts.includes(text))
  expect(sent).toEqual(texts)
}

/** The list of a reply that has a vector, as numbers or as something else, for each text. */
interface VectorList {
  readonly items: readonly unknown[]
  with(items: readonly unknown[]): RecordedReply
}

function findVectors({ exchange: { reply }, answer }: KindReplay): VectorList | undefined {
  const { embeddings = [] } = answer
  const lists = findLists(reply.json).filter(({ items }) => items.length === embeddings.length)
  const list = lists.find(({ items }) => items.every((item) => typeof item === 'object' || typeof item === 'string'))
  return list && { items: list.items, with: (items) => ({ ...reply, json: list.with(items) }) }
}

function noVectors(replay: KindReplay, isFit: (list: VectorList) => boolean = () => true) {
  const list = findVectors(replay)
  return () => (list && isFit(list) ? undefined : 'its reply has no such list with an item for each text')
}

/** The field of an item that counts from 0. */
function indexField({ items }: VectorList): string | undefined {
  const [first] = items
  const names = typeof first === 'object' && first !== null && !Array.isArray(first) ? Object.keys(first) : []
  return names.find((name) => items.every((item, index) => (item as Record<string, unknown>)[name] === index))
}

function isIndexed(list: VectorList): boolean {
  return indexField(list) !== undefined
}

async function expectIndexed(world: SuiteWorld, replay: KindReplay) {
  const list = findVectors(replay)!
  world.answer(replay, replaying(list.with(list.items.toReversed())))
  expect(await world.ask('embedding', replay.request)).toMatchObject({ embeddings: replay.answer.embeddings })
}

const manyTexts = 300

/** A provider that sends several requests gets the reply to the first of them last. */
async function expectManyTexts(world: SuiteWorld, replay: KindReplay) {
  const list = findVectors(replay)!
  const field = indexField(list)
  const { embeddings = [] } = replay.answer
  const max = embeddingFacts(world.provider, replay)?.maxTexts ?? manyTexts
  const count = Math.min(manyTexts, max)
  const kinds = embeddings.length
  const texts = Array.from({ length: count }, (_, index) => `text ${index} of many`)
  // A text’s place in a request does not tell which of the recorded vectors it gets.
  const chooseVector = (index: number) => Math.floor(index / 7) % kinds
  let requests = 0
  world.answer(replay, async (response, request) => {
    const isFirst = requests++ === 0
    const numbers = textsIn(request.body).flatMap(
      (text) => /^text (\d+) of many$/.exec(text)?.slice(1).map(Number) ?? [],
    )
    const items = numbers.map((number, index) => {
      const item = list.items[chooseVector(number)]
      return field === undefined ? item : { ...(item as object), [field]: index }
    })
    if (isFirst && numbers.length < count) await withinASecond(new Promise(() => {}))
    await replaying(list.with(items))(response, request)
  })
  const answer = await world.ask('embedding', { ...replay.request, texts })
  expect(answer.embeddings).toEqual(texts.map((_, index) => embeddings[chooseVector(index)]))
}

/** The recorded reply has too few vectors for one more text: core rejects what is returned as it is. */
async function expectCount(world: SuiteWorld, replay: KindReplay) {
  const texts = [...(replay.request.texts ?? []), 'One more text.']
  const answer = await embed(world, replay, { ...replay.request, texts }).catch((error: unknown) => error)
  if (!(answer instanceof ProviderError)) expect(answer).toMatchObject({ embeddings: replay.answer.embeddings })
}

/** Changes one number of the reply after another: some of them must change the count. */
async function expectTokens(world: SuiteWorld, replay: KindReplay) {
  const { reply } = replay.exchange
  const { promptTokens } = await embed(world, replay, replay.request)
  if (promptTokens === undefined) return
  for (const leaf of findLeaves(reply)) {
    if (!Number.isInteger(leaf.value)) continue
    const other = { ...replay, exchange: { ...replay.exchange, reply: leaf.with(Number(leaf.value) + 1_009) } }
    const changed = await embed(world, other, replay.request).catch(() => undefined)
    if (changed?.promptTokens !== undefined && changed.promptTokens !== promptTokens) return
  }
  expect.fail('no number of the reply changes promptTokens')
}

async function expectDimensions(world: SuiteWorld, replay: KindReplay) {
  const { minDimensions } = embeddingFacts(world.provider, replay)!
  const bodies: unknown[] = []
  for (const dimensions of [undefined, minDimensions]) {
    const { dimensions: _other, ...request } = replay.request
    const asked = { ...request, ...(dimensions !== undefined && { dimensions }) }
    // The recorded vectors may have another length, which a provider may reject.
    const answer = await embed(world, replay, asked).catch(() => undefined)
    if (answer?.warnings?.some(({ field }) => field === 'dimensions')) return
    bodies.push(lastBodies(world))
  }
  expect(bodies[1]).not.toEqual(bodies[0])
}

function embed(world: SuiteWorld, replay: KindReplay, request: SuiteRequest): Promise<EmbeddingAnswer> {
  world.answer(replay, replaying(replay.exchange.reply))
  return world.ask('embedding', request)
}

function embeddingFacts({ models }: Provider, { request }: Pick<KindReplay, 'request'>): TextModel['embedding'] {
  if (typeof models === 'function') return undefined
  const embedding = models.filter((model) => model.type === 'text' && model.embedding !== undefined) as TextModel[]
  return (embedding.find(({ id }) => id === request.model) ?? embedding[0])?.embedding
}
