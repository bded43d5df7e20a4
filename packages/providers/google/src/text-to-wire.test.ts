import type { TextRequest } from '@fairlead/core/provider'
import { describe, expect, test } from 'vitest'
import type { Effort } from './model-rules.ts'
import { textToWire } from './text-to-wire.ts'

function wire(request: Partial<TextRequest>, effort?: Effort) {
  const { body, warnings } = textToWire(
    {
      model: 'gemini-2.5-flash',
      prompt: 'Greet me.',
      maxTokens: 64,
      temperature: 0.7,
      topP: 1,
      frequencyPenalty: 0,
      presencePenalty: 0,
      ...request,
    },
    effort,
  )
  return { body, config: body.generationConfig, warned: warnings.map(({ field }) => field) }
}

describe('a request for text', () => {
  test('has the prompt as a user part, and the generation settings', () => {
    const { body, warned } = wire({ temperature: 1.8, topP: 0.4, seed: -5, stop: ['END', '\n\n'] })
    expect(warned).toEqual([])
    expect(body).toEqual({
      contents: [{ role: 'user', parts: [{ text: 'Greet me.' }] }],
      generationConfig: {
        maxOutputTokens: 64,
        temperature: 1.8,
        topP: 0.4,
        seed: -5,
        stopSequences: ['END', '\n\n'],
        thinkingConfig: { thinkingBudget: 0 },
      },
    })
  })

  test.each(['gemini-3.8-flash', 'gemini-4-argon', 'gemini-3.5-flash-lite', 'gemini-from-tomorrow'])(
    'says that %s heeds no sampling, where it was asked for',
    (model) => {
      expect(wire({ model }).warned).toEqual([])
      const asked = wire({ model, temperature: 0, topP: 0.5 })
      expect(asked.warned).toEqual(['temperature', 'topP'])
      expect(asked.config).not.toHaveProperty('temperature')
    },
  )

  test('has no penalties, which the API rejects', () => {
    const { config, warned } = wire({ frequencyPenalty: 1, presencePenalty: -1 })
    expect(warned).toEqual(['frequencyPenalty', 'presencePenalty'])
    expect(Object.keys(config)).not.toEqual(expect.arrayContaining([expect.stringContaining('Penalty')]))
  })

  test('omits a seed of more than 32 bits', () => {
    expect(wire({ seed: 2 ** 31 })).toMatchObject({ warned: ['seed'] })
    expect(wire({ seed: 2 ** 31 }).config).not.toHaveProperty('seed')
    expect(wire({ seed: 2 ** 31 - 1 })).toMatchObject({ config: { seed: 2 ** 31 - 1 }, warned: [] })
  })

  test('requests JSON of the schema', () => {
    const responseSchema = { type: 'object', properties: { mood: { type: 'string' } } }
    expect(wire({ responseSchema }).config).toMatchObject({
      responseMimeType: 'application/json',
      responseJsonSchema: responseSchema,
    })
  })

  test.each([
    ['gemini-2.5-flash', { thinkingBudget: 0 }],
    ['gemini-2.5-pro', { thinkingBudget: 128 }],
    ['gemini-3.5-flash', { thinkingLevel: 'MINIMAL' }],
    ['gemini-3.1-pro-preview', { thinkingLevel: 'LOW' }],
    ['gemini-3.8-flash', { thinkingLevel: 'LOW' }],
    ['gemini-4-argon', { thinkingLevel: 'LOW' }],
    ['gemini-from-tomorrow', undefined],
  ])('asks %s for its minimum of thinking', (model, least) => {
    expect(wire({ model }).config.thinkingConfig).toEqual(least)
  })

  test('asks for the configured effort', () => {
    expect(wire({ model: 'gemini-3.8-flash' }, 'high').config.thinkingConfig).toEqual({ thinkingLevel: 'HIGH' })
    expect(wire({ model: 'gemini-2.5-flash' }, 'high').config.thinkingConfig).toEqual({ thinkingBudget: -1 })
    expect(wire({ model: 'gemini-from-tomorrow' }, 'high').config).not.toHaveProperty('thinkingConfig')
  })
})
