/** Tests of other packages compare responses with the OpenAPI document. Not published. */
export { expectDocumentedResponses } from './testing/expect-documented-responses.ts'
export { responseViolations } from './testing/response-violations.ts'
export { capturedResponse } from './testing/captured-response.ts'
export type { WatchOptions } from './testing/watch-responses.ts'
export type { RawResponse, CapturedResponse } from './testing/captured-response.ts'
