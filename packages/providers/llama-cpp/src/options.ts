import type { Provider } from '@fairlead/core/provider'

export interface LlamaCppOptions {
  /** The path of a GGUF file, or of the first file of a split model. */
  readonly path: string
  /** The model's id. Default: the file name without its extension. */
  readonly id?: string | undefined
  /**
   * The context size in tokens, prompt and response together, which takes memory. Default: the model's, at most 8,192.
   */
  readonly contextSize?: number | undefined
  /** How many requests can wait while one runs. Default: 16. */
  readonly waiting?: number | undefined
  /** CPU threads. Default: one less than the machine has, which remains for the event loop. */
  readonly threads?: number | undefined
}

export type LlamaCppProvider = Provider &
  Required<Pick<Provider, 'warmUp' | 'close' | 'generateText' | 'streamText' | 'embed'>>
