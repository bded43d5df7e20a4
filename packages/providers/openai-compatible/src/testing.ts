/** Recorded exchanges with OpenAI's API, for tests of other packages. Not published. */
export { chatExchanges, chatStreamFields } from './testing/chat-exchanges.ts'
export { responsesExchanges } from './testing/responses-exchanges.ts'
export { streamCompletion, streamResponse } from './testing/streamed-replies.ts'
export type { OfficialCapability } from './testing/official-exchanges.ts'
