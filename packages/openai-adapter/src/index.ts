/** OpenAI's API over Fairlead's operations. */
export { openaiAdapter, type OpenaiAdapterOptions } from './openai-adapter.ts'
export { createBodyRoom } from '@fairlead/http'
export type { BodyRoom, BodyRoomOptions, SurfaceAdapter, SurfaceOptions } from '@fairlead/http'
