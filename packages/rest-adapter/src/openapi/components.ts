import { sessionCookie } from '../session-cookie.ts'
import type { Components, HeaderObject, ParameterObject, Reference } from './openapi-object.ts'

const integer = { type: 'integer', format: 'int64' } as const
const text = { type: 'string' } as const

/** The response headers of operations. */
export const responseHeaders = {
  'X-Request-Id': {
    description: 'The id of the request, the same as `meta.request_id`.',
    required: true,
    schema: text,
    example: 'req_2148823405213580237127411236810112233',
  },
  'RateLimit-Policy': {
    description:
      'The limits of a caller: requests and window in seconds of the monthly quota and, where there is one, of the burst limit (draft-ietf-httpapi-ratelimit-headers).',
    schema: text,
    example: '"burst";q=60;w=60, "monthly";q=1000;w=2678400',
  },
  RateLimit: {
    description:
      'Units left of each limit, and the seconds until the quota resets or the burst limit allows one more request.',
    schema: text,
    example: '"burst";r=59;t=1, "monthly";r=999;t=1521186',
  },
  'X-RateLimit-Limit': { description: 'Requests per month, for callers with a quota.', schema: integer, example: 1000 },
  'X-RateLimit-Remaining': { description: 'Requests left this month.', schema: integer, example: 999 },
  'X-RateLimit-Reset': { description: 'When the month ends, in Unix seconds.', schema: integer, example: 1775001600 },
  'Retry-After': { description: 'Seconds to wait before a retry.', schema: integer, example: 1 },
  'X-Should-Retry': {
    description: '`false` where SDKs should not retry automatically.',
    schema: { type: 'string', enum: ['false'] },
  },
  'WWW-Authenticate': {
    description: 'How to authenticate (RFC 6750).',
    required: true,
    schema: { type: 'string', enum: ['Bearer'] },
  },
  Allow: { description: 'The methods that the path supports.', required: true, schema: text, example: 'GET, HEAD' },
  ETag: {
    description: 'The version of the record, for `If-Match`.',
    required: true,
    schema: text,
    example: '"1"',
  },
  Location: { description: 'The path of the new record.', required: true, schema: text },
  'Idempotent-Replayed': {
    description: 'Set where the result is that of an earlier request with the same `Idempotency-Key`.',
    schema: { type: 'string', enum: ['true'] },
  },
  'X-Fairlead-Warnings': {
    description: 'The warnings that are known at the start of a stream. `meta.warnings` has all.',
    schema: text,
    example: "max_tokens was lowered to 4096, the model's maximum",
  },
  'Set-Cookie': { description: 'The refresh token, if the session uses a cookie.', schema: text },
  Deprecation: {
    description: 'Since when the operation is deprecated (RFC 9745).',
    required: true,
    schema: text,
    example: '@1798675200',
  },
  Sunset: {
    description: 'When the operation may be removed (RFC 8594).',
    required: true,
    schema: text,
    example: 'Thu, 31 Dec 2026 00:00:00 GMT',
  },
} as const satisfies Record<string, HeaderObject>

export type HeaderName = keyof typeof responseHeaders

export const limitHeaderNames = [
  'RateLimit-Policy',
  'RateLimit',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
] as const satisfies readonly HeaderName[]

/** Refers to headers by name. */
export function headerReferences(names: readonly HeaderName[]): Readonly<Record<string, Reference>> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

/** The request headers of operations, besides `Authorization`. */
export const requestHeaders = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'A key that you choose, of 1 to 255 visible ASCII characters. It makes the request safe to retry for 24 hours: the operation runs once, and a repeated request gets the same result.',
    // In quotes, a backslash may escape a quote or a backslash.
    schema: {
      type: 'string',
      pattern: '^(?:(?!".*"$)[!-~]{1,255}|"(?:\\\\["\\\\]|\\\\(?!["\\\\])|[!-\\[\\]-~]){1,255}")$',
    },
  },
  Project: {
    name: 'X-Fairlead-Project',
    in: 'header',
    description:
      'Id of the project for which an access token acts. Default: the user’s own account. An API key acts for its owner.',
    schema: { type: 'string', pattern: '^prj_\\d{37}$' },
  },
  Tags: {
    name: 'X-Fairlead-Tags',
    in: 'header',
    description:
      'Tags by which usage is grouped, such as `team=search, env=prod`: at most 16, with names of 1 to 64 characters and values of at most 128.',
    schema: { type: 'string', pattern: '^[^=,]+=[^,]*(?:,[^=,]+=[^,]*)*$' },
  },
  LastEventId: {
    name: 'Last-Event-ID',
    in: 'header',
    description: 'Id of the last event received: the stream continues after it.',
    schema: { type: 'string' },
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'ETags of the record, or `*`. If the current one matches, the response is 304 without a body.',
    schema: { type: 'string' },
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description: 'ETags of the record, or `*`. If the current one does not match, the response is 412.',
    schema: { type: 'string' },
  },
} as const satisfies Record<string, ParameterObject>

export function securitySchemes(baseUrl: string | undefined): Components['securitySchemes'] {
  return {
    bearer: {
      type: 'http',
      scheme: 'bearer',
      description: 'An API key (`fl_…`), or the access token of a session (`fls_…`).',
    },
    sessionCookie: {
      type: 'apiKey',
      in: 'cookie',
      name: sessionCookie(baseUrl).name,
      description: 'The refresh token of a browser session, accepted only from pages of this site.',
    },
  }
}
