/** Anthropic's API over Fairlead's operations. */
export { anthropicAdapter } from './anthropic-adapter.ts'
export { createBodyRoom } from '@fairlead/http'
export type { AnthropicAdapterOptions } from './anthropic-adapter.ts'
export type { BodyRoom, BodyRoomOptions, SurfaceAdapter, SurfaceOptions } from '@fairlead/http'
