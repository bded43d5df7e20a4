import {
  type Capacity,
  type EmbeddingRequest,
  type Provider,
  type ProviderCall,
  ProviderError,
  type TextModel,
} from '@fairlead/core/provider'
import { unusedOptions } from '../unused-options.ts'
import { defaultWorkers, workerFile, workerPool } from '../worker-pool.ts'
import type { EmbeddedText } from './embed-text.ts'
import type { EmbeddingBatch } from '../embedding-worker.ts'

export interface LocalEmbeddingsOptions {
  /** Threads. Default: two. */
  readonly workers?: number
  /** Requests that may wait while all threads are busy. Default: 256. */
  readonly queue?: number
}

export interface LocalEmbeddings extends Required<Pick<Provider, 'embed' | 'close'>> {
  readonly model: TextModel
  readonly capacity: Capacity
}

const dimensions = 1_024

const lexis: TextModel = {
  id: 'lexis',
  name: 'Lexis',
  type: 'text',
  description:
    'Not a neural network: embeds texts by hashing the stems and pieces of their words, the subject areas of word lists, and the synonyms and definitions of WordNet. Finds texts that share words, forms of them, or words of like meaning, and seldom other paraphrases.',
  pricing: { input: 0, output: 0 },
  maxTokens: 20_000,
  maxPromptCharacters: 100_000,
  streaming: false,
  embedding: { dimensions, minDimensions: 256 },
}

const defaultQueue = 256
const usualMs = 10
/** A thread takes a fraction of a second for so many characters, and then looks whether the caller still waits. */
const batchCharacters = 200_000

/** Embeds texts in worker threads, with no network and no model weights. */
export function localEmbeddings(options: LocalEmbeddingsOptions = {}): LocalEmbeddings {
  const workers = options.workers ?? defaultWorkers(2)
  const queue = options.queue ?? defaultQueue
  const pool = workerPool<EmbeddingBatch, readonly EmbeddedText[]>({
    file: workerFile('embedding-worker'),
    run: 'embedTexts',
    workers,
    queue,
    usualMs,
  })
  return {
    model: lexis,
    capacity: { ids: [lexis.id], concurrency: workers, queue },
    async embed(request: EmbeddingRequest, call: ProviderCall) {
      requireKnown(request.model)
      const embedded: EmbeddedText[] = []
      for (const texts of splitBatches(request.texts)) {
        embedded.push(...(await pool.run({ texts, dimensions: request.dimensions ?? dimensions }, call)))
      }
      const warnings = unusedOptions(request)
      return {
        embeddings: embedded.map(({ vector }) => vector),
        promptTokens: embedded.reduce((sum, { words }) => sum + Math.max(1, words), 0),
        ...(warnings.length > 0 && { warnings }),
      }
    },
    close: pool.close,
  }
}

function requireKnown(model: string): void {
  if (model === lexis.id) return
  const detail = `The embedded provider has no embedding model "${model}".`
  throw new ProviderError('invalid_request', detail, { field: 'model', detail })
}

function splitBatches(texts: readonly string[]): readonly (readonly string[])[] {
  const batches: string[][] = []
  let room = 0
  for (const text of texts) {
    if (text.length > room || batches.length === 0) {
      batches.push([])
      room = batchCharacters
    }
    batches.at(-1)!.push(text)
    room -= text.length
  }
  return batches
}
