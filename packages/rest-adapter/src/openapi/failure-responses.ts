import type { ErrorCode } from '@fairlead/core'
import { errorStatus } from '@fairlead/http'
import { failureSchema } from './envelope-schemas.ts'
import { failureExample } from './examples.ts'
import { type HeaderName, headerReferences, limitHeaderNames } from './components.ts'
import type { Reference, ResponseObject } from './openapi-object.ts'
import type { SchemaCollection } from './schema-collection.ts'

export type FailureResponses = ReturnType<typeof failureResponses>

/** The error responses, each described once. @param always codes that every operation may return, besides those given */
export function failureResponses(schemas: SchemaCollection, always: readonly ErrorCode[] = []) {
  const described = new Map<string, ResponseObject>()
  return {
    /** References, by status, to the responses with one of the codes. */
    describe(codes: readonly ErrorCode[]): Readonly<Record<string, Reference>> {
      const byStatus = Map.groupBy(new Set([...codes, ...always]), (code) => errorStatus[code])
      return Object.fromEntries(
        [...byStatus].map(([status, group]) => {
          const name = group.map(pascalCase).join('Or')
          if (!described.has(name)) described.set(name, toResponse(schemas, group))
          return [String(status), { $ref: `#/components/responses/${name}` }]
        }),
      )
    },
    all: () => Object.fromEntries([...described].sort(([one], [other]) => (one < other ? -1 : 1))),
  }
}

function toResponse(schemas: SchemaCollection, codes: readonly ErrorCode[]): ResponseObject {
  const examples = codes.flatMap((code) => {
    const value = failureExample(code)
    return value === undefined ? [] : [[code, { value }] as const]
  })
  return {
    description: codes.map((code) => `\`${code}\`: ${errorMeanings[code]}`).join('\n\n'),
    headers: headerReferences(listHeaders(codes)),
    content: {
      'application/json': {
        schema: failureSchema(schemas, codes),
        ...(examples.length > 0 && { examples: Object.fromEntries(examples) }),
      },
    },
  }
}

const retryable: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'CONFLICT',
  'QUOTA_EXCEEDED',
  'RATE_LIMIT_EXCEEDED',
  'BUDGET_EXCEEDED',
  'PROVIDER_UNAVAILABLE',
  'SERVICE_UNAVAILABLE',
])

function listHeaders(codes: readonly ErrorCode[]): readonly HeaderName[] {
  return [
    'X-Request-Id',
    ...limitHeaderNames,
    ...(codes.some((code) => retryable.has(code)) ? (['Retry-After'] as const) : []),
    ...(codes.includes('QUOTA_EXCEEDED') || codes.includes('BUDGET_EXCEEDED') ? (['X-Should-Retry'] as const) : []),
    ...(codes.includes('METHOD_NOT_ALLOWED') ? (['Allow'] as const) : []),
    ...(codes.includes('UNAUTHORIZED') ? (['WWW-Authenticate'] as const) : []),
  ]
}

/** `NOT_FOUND` as `NotFound`. */
function pascalCase(code: string): string {
  return code.toLowerCase().replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

/** The meaning of each code, and the client's options. */
const errorMeanings = {
  INVALID_REQUEST:
    'The request is malformed or has invalid fields: `details.issues` lists each. Correct it; a retry of the same request fails.',
  CONTENT_REFUSED: 'The provider rejected the content. Change it.',
  UNAUTHORIZED: 'The credential is missing, malformed, unknown, revoked or expired. Send a valid one.',
  FORBIDDEN:
    'The credential is valid but not allowed to do this, because of its scopes or the role or status of its user.',
  NOT_FOUND: 'The path or record does not exist, or the caller may not see it.',
  METHOD_NOT_ALLOWED: 'The path does not support this method. `Allow` lists the methods that it supports.',
  CONFLICT:
    'The request conflicts with the current state: a name that is taken, a change of status that is not allowed, or a first request with the same `Idempotency-Key` that is still running.',
  PRECONDITION_FAILED:
    'The current version of the record does not match `If-Match`. Get the record again, and repeat the change.',
  PAYLOAD_TOO_LARGE: 'The body is too large. Send less.',
  UNSUPPORTED_MEDIA_TYPE: 'The body is not `application/json` in UTF-8, or has a `Content-Encoding`.',
  IDEMPOTENCY_KEY_REUSED: 'The `Idempotency-Key` was used for another request. Choose a new one.',
  QUOTA_EXCEEDED:
    'The monthly quota is used up, which is reset at `X-RateLimit-Reset`, or the account keeps as many images as it may.',
  RATE_LIMIT_EXCEEDED: 'Too many requests in a short time. Retry after `Retry-After` seconds.',
  BUDGET_EXCEEDED:
    'A budget of the API key or the user has no room for the request. It says which one, and when it resets.',
  INTERNAL_ERROR: 'Internal server error. Quote the request id when you contact support.',
  PROVIDER_ERROR: 'The provider failed. A retry may succeed.',
  PROVIDER_TIMEOUT: 'The provider did not respond in time. A retry may succeed.',
  PROVIDER_UNAVAILABLE: 'The provider is busy or unavailable. Retry after `Retry-After` seconds.',
  SERVICE_UNAVAILABLE:
    'The service or one of its dependencies is busy or unavailable. Retry after `Retry-After` seconds.',
} as const satisfies Record<ErrorCode, string>
