import { describe, expect, test } from 'vitest'
import { anthropic } from './anthropic.ts'

describe('anthropic', () => {
  test.each<[string, unknown]>([
    ["The options must be an object: anthropic({ apiKey: '…' })", undefined],
    ["apiKey: is required: anthropic({ apiKey: '…' })", {}],
    ['anthropic: unknownFields must be "forward" or "refuse"', { apiKey: 'x', unknownFields: 'ask' }],
    ['apikey: is not a known option; did you mean "apiKey"?', { apikey: 'x' }],
  ])('anthropic says: %s', (message, options) => {
    expect(() => anthropic(options as never)).toThrow(new TypeError(message))
  })
})
