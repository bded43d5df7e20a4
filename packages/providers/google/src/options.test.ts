import { describe, expect, test } from 'vitest'
import { google } from './google.ts'

describe('google', () => {
  test.each<[string, unknown]>([
    ["The options must be an object: google({ apiKey: '…' })", undefined],
    ["apiKey: is required: google({ apiKey: '…' })", {}],
    ['apikey: is not a known option; did you mean "apiKey"?', { apikey: 'x' }],
  ])('google says: %s', (message, options) => {
    expect(() => google(options as never)).toThrow(new TypeError(message))
  })
})
