import { importBinding } from './binding.ts'
import type { LlamaCppOptions, LlamaCppProvider } from './options.ts'
import { providerOver } from './provider-over.ts'

/**
 * Text or embeddings from a local GGUF file, by llama.cpp. It needs the package `node-llama-cpp`, which is loaded, like the file, by
 * `warmUp` or the first request. If either is missing, requests reject with a `ProviderError` that says what to do.
 */
export function llamaCpp(options: LlamaCppOptions): LlamaCppProvider {
  return providerOver(options, importBinding)
}
