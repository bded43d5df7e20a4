/** OpenAI's API over Fairlead's operations. */
export { openaiAdapter } from './openai-adapter.ts'
export type { SurfaceAdapter, SurfaceOptions } from '@fairlead/http'
