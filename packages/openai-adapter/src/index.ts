/** OpenAI's API over Fairlead's operations. */
export { openaiAdapter, type OpenaiAdapterOptions } from './openai-adapter.ts'
export type { SurfaceAdapter, SurfaceOptions } from '@fairlead/http'
