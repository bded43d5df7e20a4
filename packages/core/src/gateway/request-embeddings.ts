import * as z from 'zod'
import { ContractViolation, parseResponse, responseFacts, warnings } from './provider-responses.ts'
import { forEach } from '../runtime/for-each.ts'
import type { ModelFor } from './model.ts'
import { ProviderError, withField } from './provider-error.ts'
import type { Native } from './messages/message.ts'
import type { EmbeddingRequest, Provider, ProviderCall } from './provider.ts'
import { type PromptSize, textSize, textsSize } from './text/prompt-size.ts'
import type { Attempt } from './routing/attempt.ts'
import { type ModelTarget, supportsDialect } from './routing/route.ts'

export type EmbeddingTarget = ModelTarget<ModelFor<'embedding'>>

/** Checked embeddings. Text, because caches and stored outcomes are text, and a `Float32Array` is not JSON. */
export interface CheckedEmbeddings {
  /** Of each text, the numbers as 32-bit floats (little-endian) in base64. */
  readonly embeddings: readonly string[]
  readonly promptTokens: number
  /** Of the last call, if there were several. */
  readonly response?: z.output<typeof responseFacts> | undefined
  readonly warnings: z.output<typeof warnings>
}

export const maxTexts = 2_048
/** A provider reads them from JSON in one turn of the event loop: up to 4 MB, which take about 15 ms. */
const maxNumbersPerCall = 131_072
const maxConcurrentCalls = 4

interface Batch {
  /** The index of its first text. */
  readonly from: number
  readonly texts: readonly string[]
}

/**
 * Embeds a list of texts, in as many calls as the model needs. All calls are to one target, because the embeddings of two
 * models cannot be compared. A retry repeats only the calls that failed.
 */
export function embeddingSender({ texts, ...request }: Omit<EmbeddingRequest, 'model'>, dimensions: number) {
  const answered = new Map<EmbeddingTarget, Map<Batch, CheckedEmbeddings | undefined>>()

  return async (target: EmbeddingTarget, attempt: Attempt): Promise<CheckedEmbeddings> => {
    attempt.request = { ...request, texts, model: target.id }
    const answers =
      answered.get(target) ?? new Map(split(texts, batchSize(target, dimensions)).map((batch) => [batch, undefined]))
    answered.set(target, answers)
    const waiting = [...answers].flatMap(([batch, answer]) => (answer ? [] : batch))
    // A provider that limits concurrency itself counts on one call for each that core has admitted.
    const max = target.provider.capacities ? 1 : maxConcurrentCalls
    await forEach(waiting, { max, signal: attempt.signal }, async (batch, signal) => {
      answers.set(batch, await requestBatch(target, { ...request, ...batch, dimensions }, { ...attempt, signal }))
    })
    const answer = joined([...answers.values()].filter((batch) => batch !== undefined))
    attempt.received(answer)
    return answer
  }
}

function batchSize({ model: { embedding } }: EmbeddingTarget, dimensions: number): number {
  return Math.max(1, Math.min(embedding.maxTexts ?? maxTexts, Math.floor(maxNumbersPerCall / dimensions)))
}

function split(texts: readonly string[], size: number): readonly Batch[] {
  const count = Math.ceil(texts.length / size)
  return Array.from({ length: count }, (_, index) => ({
    from: index * size,
    texts: texts.slice(index * size, (index + 1) * size),
  }))
}

async function requestBatch(
  { provider, id, model }: EmbeddingTarget,
  {
    from,
    texts,
    dimensions,
    native,
    ...request
  }: Omit<EmbeddingRequest, 'model'> & Batch & { readonly dimensions: number },
  call: ProviderCall,
): Promise<CheckedEmbeddings> {
  if (!provider.embed) throw new ProviderError('give_up', `${provider.id} lists embedding models but cannot embed`)
  const chosen = dimensions === model.embedding.dimensions ? {} : { dimensions }
  let raw: unknown
  try {
    const own = nativeOf(native, provider, { from, texts })
    raw = await provider.embed({ ...request, ...chosen, ...(own && { native: own }), model: id, texts }, call)
  } catch (error) {
    throw inWholeList(error, from)
  }
  const { embeddings, promptTokens, response, warnings: found } = parseResponse(answerShape, raw)
  if (embeddings.length !== texts.length) {
    throw new ContractViolation(`${embeddings.length} embeddings for ${texts.length} texts`)
  }
  return {
    embeddings: embeddings.map((embedding) => toBase64(embedding, dimensions)),
    ...(response && { response }),
    promptTokens:
      promptTokens ?? inputSize({ texts, native: nativeOf(native, provider, { from, texts }) }).estimatedTokens,
    warnings: promptTokens === undefined ? [...found, estimated] : found,
  }
}

/** The client's own fields for a provider: for a part of a list, the tokens of that part. */
function nativeOf(native: Native | undefined, provider: Provider, { from, texts }: Batch): Native | undefined {
  const [dialect, fields] = Object.entries(native ?? {})[0] ?? []
  if (dialect === undefined || !fields || !supportsDialect(provider, dialect)) return undefined
  const { input } = fields
  return { [dialect]: Array.isArray(input) ? { ...fields, input: input.slice(from, from + texts.length) } : fields }
}

/** The size of a list of texts, or of the tokens that they stand for. */
export function inputSize({ texts, native }: Pick<EmbeddingRequest, 'texts' | 'native'>): PromptSize {
  const [fields] = Object.values(native ?? {})
  const input: unknown = fields?.['input']
  if (!Array.isArray(input)) return textsSize(texts)
  const estimatedTokens = input.reduce((sum: number, each: unknown) => sum + tokensIn(each), 0)
  return { estimatedTokens, hasAtMost: () => true }
}

function tokensIn(input: unknown): number {
  return Array.isArray(input) ? input.length : textSize(String(input)).estimatedTokens
}

const answerShape = z.object({
  embeddings: z.array(z.unknown()).max(maxTexts),
  promptTokens: z.int().min(0).optional(),
  response: responseFacts.optional(),
  warnings,
})

const estimated = { field: null, issue: 'the provider returned no token counts: usage and cost are estimates' }

const maxFloat32 = 3.4028234663852886e38

function toBase64(embedding: unknown, dimensions: number): string {
  if (!(Array.isArray(embedding) || embedding instanceof Float32Array)) {
    throw new ContractViolation('an embedding is not an array')
  }
  if (embedding.length !== dimensions) {
    throw new ContractViolation(`an embedding has ${embedding.length} numbers instead of ${dimensions}`)
  }
  for (let at = 0; at < dimensions; at++) {
    const number: unknown = embedding[at]
    if (typeof number !== 'number' || !(Math.abs(number) <= maxFloat32)) {
      throw new ContractViolation('an embedding has an entry that is not a finite number of 32 bits')
    }
  }
  return Buffer.from(new Float32Array(embedding).buffer).toString('base64')
}

/** The numbers of an embedding. */
export function fromBase64(embedding: string): Float32Array {
  const { buffer, byteOffset, byteLength } = Buffer.from(embedding, 'base64')
  return new Float32Array(buffer.slice(byteOffset, byteOffset + byteLength))
}

/** The texts of a call are part of the client's list, and no client sent the `prompt` that a too long text defaults to. */
function inWholeList(error: unknown, from: number): unknown {
  if (!(error instanceof ProviderError)) return error
  const named = error.field ?? (error.failure === 'too_long' ? 'texts' : undefined)
  const field = named?.replace(/^texts\[(\d+)\]/, (_, at: string) => `texts[${Number(at) + from}]`)
  return field === error.field ? error : withField(error, field)
}

function joined(answers: readonly CheckedEmbeddings[]): CheckedEmbeddings {
  const found = answers.flatMap((answer) => answer.warnings)
  return {
    embeddings: answers.flatMap(({ embeddings }) => embeddings),
    response: answers.at(-1)?.response,
    promptTokens: answers.reduce((sum, { promptTokens }) => sum + promptTokens, 0),
    warnings: [...new Map(found.map((warning) => [JSON.stringify(warning), warning])).values()],
  }
}
