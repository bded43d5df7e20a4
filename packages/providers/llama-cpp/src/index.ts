/** A provider of a local model file. */
export { llamaCpp } from './llama-cpp.ts'
export type { LlamaCppOptions, LlamaCppProvider } from './options.ts'
