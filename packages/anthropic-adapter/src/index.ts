/** Anthropic's API over Fairlead's operations. */
export { anthropicAdapter } from './anthropic-adapter.ts'
export type { AnthropicAdapterOptions } from './anthropic-adapter.ts'
export type { SurfaceAdapter, SurfaceOptions } from '@fairlead/http'
