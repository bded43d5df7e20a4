import { describe, expect, test } from 'vitest'
import type { Scope } from './api-key.ts'
import { snippets } from './snippets.ts'

const options = { secret: 'fl_secret', serviceUrl: 'https://ai.example.com' }

describe('snippets', () => {
  test('snippets call an operation that the key may use', () => {
    expect(snippets({ ...options, scopes: ['analyze'] })[0]?.code).toContain('/v1/analyze')
    expect(snippets({ ...options, scopes: ['usage'] })[0]?.code).toContain('/usage')
  })

  test('snippets contain the secret and the address of the service', () => {
    for (const { language, code } of snippets({ ...options, scopes: ['generate'] })) {
      expect(code).toContain('fl_secret')
      expect(code).toContain(`https://ai.example.com${language.startsWith('openai') ? '/openai/v1' : '/v1/generate'}`)
    }
  })

  test('snippets use the libraries of OpenAI only if the key may generate texts', () => {
    const languages = (scopes: readonly Scope[]) => snippets({ ...options, scopes }).map(({ language }) => language)
    expect(languages(['generate'])).toEqual(['curl', 'typescript', 'python', 'openai-node', 'openai-python'])
    expect(languages(['analyze'])).toEqual(['curl', 'typescript', 'python'])
  })

  test('snippets write the curl command for a shell', () => {
    expect(snippets({ ...options, scopes: ['models'] })[0]?.code).toBe(
      "curl https://ai.example.com/models \\\n  -H 'Authorization: Bearer fl_secret'",
    )
  })
})
