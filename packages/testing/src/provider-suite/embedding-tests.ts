import { replaying } from '../fakes/recorded-exchange.ts'
import { type EmbeddingAnswer, type Provider, ProviderError, type TextModel } from '@fairlead/core/provider'
import { expect } from 'vitest'
import * as z from 'zod'
import { filledIn, type SuiteRequest } from './ask-provider.ts'
import { findLeaves } from './reply-variants.ts'
import { textsIn } from './sent-request.ts'
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
  const sent = textsIn(world.upstream.requests.at(-1)?.body).filter((text) => texts.includes(text))
  expect(sent).toEqual(texts)
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
    bodies.push(world.upstream.requests.at(-1)?.body)
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
