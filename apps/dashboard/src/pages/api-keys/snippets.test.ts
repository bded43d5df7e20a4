import { describe, expect, test } from 'vitest'
import { snippets } from './snippets.ts'

const options = { secret: 'fl_secret', serviceUrl: 'https://ai.example.com' }

describe('snippets', () => {
  test('call an operation that the key may use', () => {
    expect(snippets({ ...options, scopes: ['analyze'] })[0]?.code).toContain('/v1/analyze')
    expect(snippets({ ...options, scopes: ['usage'] })[0]?.code).toContain('/usage')
  })

  test('contain the secret and the address of the service', () => {
    for (const { code } of snippets({ ...options, scopes: ['generate'] })) {
      expect(code).toContain('fl_secret')
      expect(code).toContain('https://ai.example.com/v1/generate')
    }
  })

  test('write the curl command for a shell', () => {
    expect(snippets({ ...options, scopes: ['models'] })[0]?.code).toBe(
      "curl https://ai.example.com/models \\\n  -H 'Authorization: Bearer fl_secret'",
    )
  })
})
