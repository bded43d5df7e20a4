import { anthropic } from '@fairlead/provider-anthropic'
import { describe, expect, test } from 'vitest'
import { anthropicIds } from './choose-providers.ts'

describe('the providers that speak the API of Anthropic', () => {
  test('the providers that speak the API of Anthropic are the usual one and those with an id of their own', () => {
    const made = anthropic({ apiKey: 'sk-ant-canary', id: 'made' })
    const entries = ['openai', { use: 'anthropic' }, { use: 'anthropic', id: 'claude-eu' }, { use: 'openai', id: 'o' }]
    expect(anthropicIds([...entries, made])).toEqual(['anthropic', 'claude-eu'])
    expect(anthropicIds()).toEqual(['anthropic'])
  })
})
