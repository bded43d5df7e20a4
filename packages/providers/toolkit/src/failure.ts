/** Classification and redaction of failures, for providers that use an upstream's own library. */
export { createRedactor } from './http/redact.ts'
export { readRequestId } from './http/upstream-exchange.ts'
export { failureOfStatus, readRetryAfter } from './http/upstream-failure.ts'
export { exceedsContext, requestedBeyondLimit } from './http/too-long.ts'
export { tidyError } from './http/redact.ts'
