import { availableParallelism } from 'node:os'
import { type Message, ProviderError, type ResponseFormat } from '@fairlead/core/provider'
import type {
  Llama,
  LlamaContext,
  LlamaContextSequence,
  LlamaGrammarEvaluationState,
  LlamaModel,
  SequenceEvaluateOptions,
  Token,
} from 'node-llama-cpp'
import { backendOf } from './backend.ts'
import type { Binding } from './binding.ts'
import type { LlamaCppOptions } from './options.ts'
import { grammarFor } from './grammar.ts'
import { messageOf, type ModelFile } from './model-file.ts'
import { type PromptReader, promptReader } from './prompt-reader.ts'

/** A loaded model, which writes one text at a time. */
export interface Engine {
  readonly read: PromptReader
  /**
   * Continues the prompt until the model ends its text. Stops within half a second of an abort.
   *
   * @param onProgress called while the prompt is evaluated
   */
  generate(
    prompt: readonly Token[],
    sampling: SequenceEvaluateOptions,
    signal: AbortSignal,
    onProgress: () => void,
  ): AsyncGenerator<Token>
  /** What allows only JSON of a format. Each response needs its own. */
  grammar(
    format: ResponseFormat,
  ): Promise<{ readonly state: LlamaGrammarEvaluationState; readonly ignored: readonly string[] }>
  readonly detokenize: (tokens: readonly Token[], before: readonly Token[]) => string
  close(): Promise<void>
}

export async function openEngine(binding: Binding, file: ModelFile, options: LlamaCppOptions): Promise<Engine> {
  const { llama, complaints } = await backendOf(binding)
  await complaints()
  let model: LlamaModel | undefined
  try {
    model = await llama.loadModel({ modelPath: file.path })
    const threads = { ideal: threadsFor(llama, options), min: 1 }
    const context = await model.createContext({ contextSize: file.contextSize, threads })
    return await engineOf(binding, { llama, model, context, hasChatTemplate: file.hasChatTemplate })
  } catch (cause) {
    await model?.dispose()
    throw cannotLoad(file, cause, await complaints())
  }
}

export function cannotLoad({ path }: ModelFile, cause: unknown, complaints: readonly string[]): ProviderError {
  const reason = [messageOf(cause), ...complaints].join('; ')
  return new ProviderError('give_up', `The model file ${path} cannot be loaded: ${reason}. ${whatToLookAt}`, { cause })
}

const whatToLookAt =
  'Look whether the file is complete, whether the memory suffices, and whether this llama.cpp knows its architecture.'

/** With more threads than free cores, threads wait for each other, and one token takes a second. */
export function threadsFor({ cpuMathCores }: Llama, { threads }: LlamaCppOptions): number {
  return threads ?? Math.max(1, Math.min(cpuMathCores, availableParallelism() - 1))
}

interface Loaded {
  readonly llama: Llama
  readonly model: LlamaModel
  readonly context: LlamaContext
  readonly hasChatTemplate: boolean
}

async function engineOf(binding: Binding, { llama, model, context, hasChatTemplate }: Loaded): Promise<Engine> {
  const sequence = context.getSequence()
  const read = promptReader(binding, model, hasChatTemplate)
  const sliceSize = await measureSlice(sequence, read([rehearsal]).tokens)
  return {
    read,
    async grammar(format) {
      const { grammar, ignored } = await grammarFor(llama, format)
      return { state: new binding.LlamaGrammarEvaluationState({ model, grammar }), ignored }
    },
    detokenize: (tokens, before) => model.detokenize(tokens, false, before),
    async *generate(prompt, sampling, signal, onProgress) {
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
