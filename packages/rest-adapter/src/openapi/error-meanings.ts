import type { ErrorCode } from '@fairlead/core'

/** What each code says, and what a client does about it. */
export const errorMeanings = {
  INVALID_REQUEST:
    'The request is malformed, or a field is: `details.issues` names each. Mend it; the same again fails.',
  CONTENT_REFUSED: 'The provider refuses the content. Ask for something else.',
  UNAUTHORIZED: 'The credential is missing, malformed, unknown, revoked or expired. Send one that is good.',
  FORBIDDEN: 'The credential is good, and not allowed this: its scopes, the role or the state of its user forbid it.',
  NOT_FOUND: 'The path or record does not exist, or the caller may not see it.',
  METHOD_NOT_ALLOWED: 'The path does not take this method; `Allow` lists those that it takes.',
  CONFLICT:
    'It does not fit what is there: a name that is taken, a change of status that is not allowed, or a first request with the same `Idempotency-Key` that still runs.',
  PRECONDITION_FAILED: 'The record is at another version than `If-Match` names. Get it again, and change that.',
  PAYLOAD_TOO_LARGE: 'The body is too large. Send less.',
  UNSUPPORTED_MEDIA_TYPE: 'The body is not `application/json` in UTF-8, or is encoded. Send it so.',
  IDEMPOTENCY_KEY_REUSED: 'The `Idempotency-Key` stands for another request. Take a new one.',
  QUOTA_EXCEEDED: 'The quota of the month is used up. It starts anew at `X-RateLimit-Reset`.',
  RATE_LIMIT_EXCEEDED: 'Too much was tried in too short a time. Come back after `Retry-After` seconds.',
  INTERNAL_ERROR: 'Internal server error. Quote the request id when you contact support.',
  PROVIDER_ERROR: 'The provider failed. Trying again may help.',
  PROVIDER_TIMEOUT: 'The provider did not answer in time. Trying again may help.',
  PROVIDER_UNAVAILABLE: 'The provider is busy or away. Come back after `Retry-After` seconds.',
  SERVICE_UNAVAILABLE:
    'The service is busy, or something that it needs is away. Come back after `Retry-After` seconds.',
} as const satisfies Record<ErrorCode, string>
