import { setImmediate } from 'node:timers/promises'
import { type EmbeddingAnswer, ProviderError } from '@fairlead/core/provider'
import type { Token } from 'node-llama-cpp'
import { openModel } from './backend.ts'
import type { ModelFile } from './model-file.ts'
import type { LlamaCppOptions } from './options.ts'

/** Loads an embedding model, which embeds one text at a time. */
export function openEmbedder(file: ModelFile, options: LlamaCppOptions) {
  const { contextSize } = file
  return openModel(file, options, async (model, threads) => {
    const context = await model.createEmbeddingContext({ contextSize, threads })
    return {
      /** Stops between texts after an abort. */
      async embed(texts: readonly string[], signal: AbortSignal): Promise<EmbeddingAnswer> {
        const inputs: Token[][] = []
        let promptTokens = 0
        for (const [index, text] of texts.entries()) {
          // Each text is tokenized on the event loop.
          await setImmediate()
          signal.throwIfAborted()
          // The model has no vector for a text without tokens.
          const tokens = model.tokenize(text === '' ? ' ' : text)
          const length = context.calculateInputLength([...tokens])
          if (length >= contextSize) throw tooLong('A text', length, contextSize, `texts[${index}]`)
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
  })
}

/** The error for a text that does not leave room for one token in the context. */
export function tooLong(subject: string, tokens: number, contextSize: number, field: string): ProviderError {
  const detail = `has ${tokens} tokens; this model accepts at most ${contextSize - 1}`
  return new ProviderError('too_long', `${subject} ${detail}`, { field, detail })
}

/** A vector of length 1, as other APIs return. */
function unit(vector: readonly number[]): readonly number[] {
  const length = Math.hypot(...vector)
  return length === 0 ? vector : vector.map((value) => value / length)
}
