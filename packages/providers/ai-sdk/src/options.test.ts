import { describe, expect, test } from 'vitest'
import { aiSdk } from './ai-sdk.ts'

describe('aiSdk', () => {
  test.each<[string, unknown]>([
    ["The options must be an object: aiSdk({ models: [{ model: openai('gpt-5-mini') }] })", []],
    ["models: must be an array: aiSdk({ models: [{ model: openai('gpt-5-mini') }] })", {}],
    ['model: is not a known option; did you mean "models"?', { model: {} }],
  ])('aiSdk says: %s', (message, options) => {
    expect(() => aiSdk(options as never)).toThrow(new TypeError(message))
  })
})
