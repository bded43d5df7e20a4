import { type Message, ProviderError, type ResponseFormat } from '@fairlead/core/provider'
import type {
  GbnfJsonObjectSchema,
  LlamaContextSequence,
  LlamaGrammar,
  SequenceEvaluateOptions,
  Token,
} from 'node-llama-cpp'
import { openModel } from './backend.ts'
import { toGrammarSchema } from './grammar-schema.ts'
import { readMessage, type ModelFile } from './model-file.ts'
import type { LlamaCppOptions } from './options.ts'
import { promptReader } from './prompt-reader.ts'

/** A loaded model, which writes one text at a time. */
export type Engine = Awaited<ReturnType<typeof openEngine>>

export function openEngine(file: ModelFile, options: LlamaCppOptions) {
  const { binding, contextSize } = file
  return openModel(file, options, async (model, threads) => {
    const context = await model.createContext({ contextSize, threads: { ideal: threads, min: 1 } })
    const sequence = context.getSequence()
    const read = promptReader(file, model)
    const sliceSize = await measureSlice(sequence, read([rehearsal]).tokens)
    return {
      contextSize,
      read,
      detokenize: (tokens: readonly Token[], before: readonly Token[]) => model.detokenize(tokens, false, before),
      /**
       * A grammar that allows only JSON of a format, and the keywords of its schema that it does not enforce. Each
       * response needs its own.
       */
      async grammar(format: ResponseFormat) {
        const { schema, ignored } = toGrammarSchema(format.type === 'json_schema' ? format.schema : { type: 'object' })
        let grammar: LlamaGrammar
        try {
          grammar = await model.llama.createGrammarForJsonSchema(schema as GbnfJsonObjectSchema)
        } catch (cause) {
          const detail = `llama.cpp cannot make a grammar of this schema: ${readMessage(cause)}`
          throw new ProviderError('invalid_request', detail, { field: 'responseFormat.schema', detail, cause })
        }
        return { state: new binding.LlamaGrammarEvaluationState({ model, grammar }), ignored }
      },
      /**
       * Continues the prompt until the model ends its text. Stops within half a second of an abort.
       *
       * @param onProgress called while the prompt is evaluated
       */
      async *generate(
        prompt: readonly Token[],
        sampling: SequenceEvaluateOptions,
        signal: AbortSignal,
        onProgress: () => void,
      ) {
        await sequence.clearHistory()
        const last = prompt.length - 1
        for (let start = 0; start < last; start += sliceSize) {
          signal.throwIfAborted()
          await sequence.evaluateWithoutGeneratingNewTokens(prompt.slice(start, Math.min(last, start + sliceSize)))
          onProgress()
        }
        signal.throwIfAborted()
        for await (const token of sequence.evaluate(prompt.slice(last), sampling)) {
          signal.throwIfAborted()
          yield token
        }
      },
      async close() {
        await context.dispose()
        await model.dispose()
      },
    }
  })
}

const rehearsal: Message = { role: 'user', content: [{ type: 'text', text: 'rehearsal' }] }

const sliceMs = 400
const minBatch = 16
const maxBatch = 512

/**
 * How many prompt tokens this machine evaluates within the allowed delay of an abort. Measured once, because another
 * batch size changes the rounding, and a seed would not repeat.
 */
async function measureSlice(sequence: LlamaContextSequence, sample: readonly Token[]): Promise<number> {
  const tokens = Array.from(
    { length: Math.min(minBatch, sequence.contextSize - 1) },
    (_, index) => sample[index % sample.length]!,
  )
  // The first evaluation also reads the weights from the disk.
  await readAnew(sequence, tokens)
  const beganAt = performance.now()
  await readAnew(sequence, tokens)
  const msPerToken = (performance.now() - beganAt) / tokens.length
  const fitting = 2 ** Math.floor(Math.log2(sliceMs / msPerToken))
  return Math.min(maxBatch, Math.max(minBatch, fitting))
}

async function readAnew(sequence: LlamaContextSequence, tokens: readonly Token[]): Promise<void> {
  await sequence.clearHistory()
  await sequence.evaluateWithoutGeneratingNewTokens([...tokens])
}
