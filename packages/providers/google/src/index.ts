/** Text, images, and embeddings from Google's Gemini API. */
export { google } from './google.ts'
export type { GoogleOptions } from './google.ts'
export type { GoogleEffort } from './model-rules.ts'
