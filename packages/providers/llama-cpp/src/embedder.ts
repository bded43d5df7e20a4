import { setImmediate } from 'node:timers/promises'
import { type EmbeddingAnswer, ProviderError } from '@fairlead/core/provider'
import type { LlamaEmbeddingContext, LlamaModel, Token } from 'node-llama-cpp'
import { backendOf } from './backend.ts'
import type { Binding } from './binding.ts'
import { cannotLoad, threadsFor } from './engine.ts'
import type { ModelFile } from './model-file.ts'
import type { LlamaCppOptions } from './options.ts'

/** A loaded embedding model, which embeds one text at a time. */
export interface Embedder {
  /** Stops between texts after an abort. */
  embed(texts: readonly string[], signal: AbortSignal): Promise<EmbeddingAnswer>
  close(): Promise<void>
}

export async function openEmbedder(binding: Binding, file: ModelFile, options: LlamaCppOptions): Promise<Embedder> {
  const { llama, complaints } = await backendOf(binding)
  await complaints()
  let model: LlamaModel | undefined
  try {
    model = await llama.loadModel({ modelPath: file.path })
    const threads = threadsFor(llama, options)
    return embedderOf(model, await model.createEmbeddingContext({ contextSize: file.contextSize, threads }), file)
  } catch (cause) {
    await model?.dispose()
    throw cannotLoad(file, cause, await complaints())
  }
}

function embedderOf(model: LlamaModel, context: LlamaEmbeddingContext, { contextSize }: ModelFile): Embedder {
  return {
    async embed(texts, signal) {
      const inputs: Token[][] = []
      let promptTokens = 0
      for (const [index, text] of texts.entries()) {
        // Each text is tokenized on the event loop.
        await setImmediate()
        signal.throwIfAborted()
        // The model has no vector for a text without tokens.
        const tokens = model.tokenize(text === '' ? ' ' : text)
        const length = context.calculateInputLength([...tokens])
        if (length >= contextSize) throw tooLong(index, length, contextSize)
        inputs.push(tokens)
        promptTokens += length
      }
      const embeddings: (readonly number[])[] = []
      for (const tokens of inputs) {
        signal.throwIfAborted()
        const { vector } = await context.getEmbeddingFor([...tokens])
        embeddings.push(unit(vector))
      }
      return { embeddings, promptTokens }
    },
    async close() {
      await context.dispose()
      await model.dispose()
    },
  }
}

function tooLong(index: number, tokens: number, contextSize: number): ProviderError {
  const detail = `has ${tokens} tokens; this model accepts at most ${contextSize - 1}`
  return new ProviderError('too_long', `A text ${detail}`, { field: `texts[${index}]`, detail })
}

/** A vector of length 1, as other APIs return. */
function unit(vector: readonly number[]): readonly number[] {
  const length = Math.hypot(...vector)
  return length === 0 ? vector : vector.map((value) => value / length)
}
