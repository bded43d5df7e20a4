import { inspect } from 'node:util'
import {
  APICallError,
  InvalidPromptError,
  JSONParseError,
  LoadAPIKeyError,
  NoSuchModelError,
  InvalidArgumentError,
  UnsupportedFunctionalityError,
} from '@ai-sdk/provider'
import { ProviderError } from '@fairlead/core/provider'
import { testClock } from '@fairlead/testing'
import { describe, expect, test } from 'vitest'
import { failing } from './to-provider-error.ts'

const { signal } = new AbortController()

function mapped(error: unknown): ProviderError {
  try {
    return failing('ai-sdk', testClock())(error, signal)
  } catch (thrown) {
    if (thrown instanceof ProviderError) return thrown
    throw thrown
  }
}

function answered(statusCode: number | undefined, facts: Partial<ConstructorParameters<typeof APICallError>[0]> = {}) {
  return new APICallError({
    message: 'The upstream says no',
    url: 'https://api.example.com/v1?key=canary-url',
    requestBodyValues: { prompt: 'canary-prompt' },
    ...(statusCode !== undefined && { statusCode }),
    ...facts,
  })
}

describe('a failure of the AI SDK', () => {
  test.each([
    [400, 'invalid_request'],
    [401, 'credential'],
    [403, 'credential'],
    [404, 'give_up'],
    [408, 'timeout'],
    [409, 'retry'],
    [413, 'too_long'],
    [422, 'invalid_request'],
    [429, 'rate_limited'],
    [500, 'retry'],
    [503, 'retry'],
    [504, 'timeout'],
    [529, 'retry'],
  ])('a failure of the AI SDK with status %i is classified as %s', (status, failure) => {
    expect(mapped(answered(status)).failure).toBe(failure)
  })

  test.each([
    [500, false, 'give_up'],
    [404, true, 'retry'],
    [undefined, true, 'retry'],
    [undefined, false, 'give_up'],
    [400, true, 'invalid_request'],
    [429, false, 'rate_limited'],
  ])(
    'a failure of the AI SDK with status %s and isRetryable %s is classified as %s',
    (status, isRetryable, failure) => {
      expect(mapped(answered(status, { isRetryable })).failure).toBe(failure)
    },
  )

  test.each([
    [{ 'retry-after': '7' }, 7_000],
    [{ 'retry-after-ms': '250', 'retry-after': '7' }, 250],
    [{ 'retry-after': 'Sat, 14 Mar 2026 09:26:59 GMT' }, 5_411],
    [{ 'retry-after': 'Fri, 20 Nov 2026 10:00:05 GMT', date: 'Fri, 20 Nov 2026 10:00:00 GMT' }, 5_000],
    [{}, undefined],
  ])('a failure of the AI SDK with the headers %j has a delay of %s ms', (responseHeaders, retryAfterMs) => {
    expect(mapped(answered(429, { responseHeaders })).retryAfterMs).toBe(retryAfterMs)
  })

  test('a failure of the AI SDK names the invalid field and the reason', () => {
    const data = { error: { param: 'max_completion_tokens', code: 'invalid_value' } }
    expect(mapped(answered(400, { data }))).toMatchObject({ field: 'maxTokens', detail: 'The upstream says no' })
    expect(mapped(answered(400, { data: { error: { param: 'constructor' } } })).field).toBeUndefined()
    expect(mapped(answered(400, { data: 'html' })).field).toBeUndefined()
  })

  test.each(['content_policy_violation', 'content_filter', 'moderation_blocked'])(
    'a failure of the AI SDK of %s is refused content',
    (code) => {
      expect(mapped(answered(400, { data: { error: { code } } })).failure).toBe('content_refused')
    },
  )

  test.each([
    [new LoadAPIKeyError({ message: 'Set OPENAI_API_KEY' }), 'credential'],
    [new NoSuchModelError({ modelId: 'x', modelType: 'languageModel' }), 'give_up'],
    [new UnsupportedFunctionalityError({ functionality: 'tools' }), 'invalid_request'],
    [new InvalidArgumentError({ argument: 'providerOptions', message: 'invalid options' }), 'invalid_request'],
    [new InvalidPromptError({ prompt: 'canary-prompt', message: 'canary-prompt' }), 'invalid_request'],
    [new JSONParseError({ text: 'canary-reply', cause: new Error('canary-cause') }), 'retry'],
    [new TypeError('undefined is not a function'), 'give_up'],
    ['a string', 'give_up'],
    [undefined, 'give_up'],
  ])('%s is classified as %s', (error, failure) => {
    expect(mapped(error).failure).toBe(failure)
    expect(inspect(mapped(error))).not.toContain('canary')
  })

  test('a failure of the AI SDK keeps a ProviderError', () => {
    expect(mapped(new ProviderError('retry', 'broke off'))).toMatchObject({
      failure: 'retry',
      message: 'ai-sdk: broke off',
    })
  })

  test.each([400, 401, 429, 500, undefined])(
    'a failure of the AI SDK with status %s reveals nothing of the request, its headers, or keys',
    (status) => {
      const error = answered(status, {
        message: 'Wrong key sk-canary-123456789 or Bearer canary-bearer',
        responseHeaders: { 'set-cookie': 'canary-cookie' },
        responseBody: 'canary-body',
        data: { error: { message: 'canary-data' } },
        cause: new Error('canary-cause'),
      })
      expect(inspect(mapped(error), { depth: 9, showHidden: true })).not.toContain('canary')
    },
  )

  test('a failure of the AI SDK after an abort is the reason of the signal', () => {
    const reason = new Error('left')
    expect(() => failing('ai-sdk', testClock())(answered(500), AbortSignal.abort(reason))).toThrow(reason)
  })
})
