/** Text from Anthropic's Messages API. */
export { anthropic } from './anthropic.ts'
export type { AnthropicOptions } from './anthropic.ts'
export type { AnthropicEffort } from './model-rules.ts'
