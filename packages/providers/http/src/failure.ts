/** Classification and redaction of failures, for providers that use an upstream's own library. */
export { createRedactor } from './redact.ts'
export { readRetryAfter, requestIdOf } from './upstream-failure.ts'
export { failureOfStatus } from './upstream-failure.ts'
export { tidyError } from './redact.ts'
