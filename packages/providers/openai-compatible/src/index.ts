/** A provider for every server with the chat completions API. */
export { openaiCompatible } from './openai-compatible.ts'
export { presets } from './presets.ts'
export type { ServerDialect } from './dialect.ts'
export type { OpenaiCompatibleOptions } from './options.ts'
export type { Preset, PresetName } from './presets.ts'
export type { OpenaiEffort, ReasoningFamily } from './model-rules.ts'
