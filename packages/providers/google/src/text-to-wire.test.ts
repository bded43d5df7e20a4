import type { TextRequest } from '@fairlead/core/provider'
import { describe, expect, test } from 'vitest'
import type { GoogleEffort } from './model-rules.ts'
import { textToWire } from './text-to-wire.ts'

function wire(request: Partial<TextRequest>, effort?: GoogleEffort) {
  const { body, warnings } = textToWire(
    {
      model: 'gemini-2.5-flash',
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Greet me.' }] }],
      maxTokens: 64,
      temperature: 0.7,
      topP: 1,
      frequencyPenalty: 0,
      presencePenalty: 0,
      ...request,
    },
    { id: 'google', effort },
  )
  return { body, config: body.generationConfig, warned: warnings.map(({ field }) => field) }
}

describe('a request for text', () => {
  test('a request for text has the prompt as a user part, and the generation settings', () => {
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
    'a request for text says that %s heeds no sampling, where it was asked for',
    (model) => {
      expect(wire({ model }).warned).toEqual([])
      const asked = wire({ model, temperature: 0, topP: 0.5 })
      expect(asked.warned).toEqual(['temperature', 'topP'])
      expect(asked.config).not.toHaveProperty('temperature')
    },
  )

  test('a request for text has no penalties, which the API rejects', () => {
    const { config, warned } = wire({ frequencyPenalty: 1, presencePenalty: -1 })
    expect(warned).toEqual(['frequencyPenalty', 'presencePenalty'])
    expect(Object.keys(config)).not.toEqual(expect.arrayContaining([expect.stringContaining('Penalty')]))
  })

  test('a request for text omits a seed of more than 32 bits', () => {
    expect(wire({ seed: 2 ** 31 })).toMatchObject({ warned: ['seed'] })
    expect(wire({ seed: 2 ** 31 }).config).not.toHaveProperty('seed')
    expect(wire({ seed: 2 ** 31 - 1 })).toMatchObject({ config: { seed: 2 ** 31 - 1 }, warned: [] })
  })

  test('a request for text requests JSON, and JSON of a schema', () => {
    expect(wire({}).config).not.toHaveProperty('responseMimeType')
    const json = wire({ responseFormat: { type: 'json' } }).config
    expect(json).toMatchObject({ responseMimeType: 'application/json' })
    expect(json).not.toHaveProperty('responseJsonSchema')
    const schema = { type: 'object', properties: { mood: { type: 'string' } } }
    const format = { type: 'json_schema', name: 'mood', description: 'Of the day.', schema } as const
    expect(wire({ responseFormat: format }).config).toMatchObject({
      responseMimeType: 'application/json',
      responseJsonSchema: { description: 'Of the day.', ...schema },
    })
  })

  test('a request for text replaces const in the schema of a response, which the API does not support, by an enum', () => {
    const kind = (value: string) => ({ properties: { const: { const: value } }, required: ['const'] })
    const schema = {
      anyOf: [kind('cat'), { items: { const: 2 } }, true],
      $defs: { one: { const: null } },
      enum: [{ const: 1 }],
      default: { const: 1 },
    }
    const sent = (value: string) => ({ properties: { const: { enum: [value] } }, required: ['const'] })
    expect(wire({ responseFormat: { type: 'json_schema', schema } }).config.responseJsonSchema).toEqual({
      anyOf: [sent('cat'), { items: { enum: [2] } }, true],
      $defs: { one: { enum: [null] } },
      enum: [{ const: 1 }],
      default: { const: 1 },
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
  ])('a request for text asks %s for its minimum of thinking', (model, least) => {
    expect(wire({ model }).config.thinkingConfig).toEqual(least)
  })

  test('a request for text asks for no thinking of its own if the request says null, unless it is configured', () => {
    const model = 'gemini-3.8-flash'
    expect(wire({ model, reasoning: { effort: null } }).config).not.toHaveProperty('thinkingConfig')
    expect(wire({ model, reasoning: { effort: null } }, 'high').config.thinkingConfig).toEqual({
      thinkingLevel: 'HIGH',
    })
  })

  test('a request for text asks for the configured effort, without showing the thoughts', () => {
    expect(wire({ model: 'gemini-3.8-flash' }, 'high').config.thinkingConfig).toEqual({ thinkingLevel: 'HIGH' })
    expect(wire({ model: 'gemini-2.5-flash' }, 'high').config.thinkingConfig).toEqual({ thinkingBudget: 24_576 })
    expect(wire({ model: 'gemini-from-tomorrow' }, 'high').config).not.toHaveProperty('thinkingConfig')
  })

  test.each([
    ['gemini-3.8-flash', 'minimal', { thinkingLevel: 'LOW' }, ['reasoning']],
    ['gemini-3.8-flash', 'medium', { thinkingLevel: 'MEDIUM' }, []],
    ['gemini-3.8-flash', 'xhigh', { thinkingLevel: 'HIGH' }, ['reasoning']],
    ['gemini-3.8-flash', 'max', { thinkingLevel: 'HIGH' }, ['reasoning']],
    ['gemini-3.5-flash', 'minimal', { thinkingLevel: 'MINIMAL' }, []],
    ['gemini-2.5-flash', 'minimal', { thinkingBudget: 1_024 }, ['reasoning']],
    ['gemini-2.5-pro', 'medium', { thinkingBudget: 8_192 }, []],
    ['gemini-2.5-pro', 'xhigh', { thinkingBudget: 24_576 }, ['reasoning']],
  ] as const)('a request for text asks %s for the effort %s and its thoughts', (model, effort, thinking, fields) => {
    const { config, warned } = wire({ model, reasoning: { effort } }, 'low')
    expect(config.thinkingConfig).toEqual({ ...thinking, includeThoughts: true })
    expect(warned).toEqual(fields)
  })

  test('a request for text asks for the minimum of thinking, and no thoughts, if a request turns reasoning off', () => {
    const off = { reasoning: { effort: 'none' } } as const
    expect(wire(off, 'high').config.thinkingConfig).toEqual({ thinkingBudget: 0 })
    expect(wire({ ...off, model: 'gemini-3.8-flash' }, 'high').config.thinkingConfig).toEqual({ thinkingLevel: 'LOW' })
    expect(wire({ ...off, model: 'gemini-from-tomorrow' })).toMatchObject({ warned: [] })
  })

  test('a request for text warns about an effort that it cannot ask for, and about parallel calls that it cannot forbid', () => {
    const asked = { model: 'gemini-from-tomorrow', reasoning: { effort: 'low' }, parallelToolCalls: false } as const
    expect(wire(asked)).toMatchObject({ warned: ['parallelToolCalls', 'reasoning'] })
    expect(wire({ parallelToolCalls: true })).toMatchObject({ warned: [] })
  })
})

describe('the provider options of a request', () => {
  const tools = [{ name: 'look_up', inputSchema: { type: 'object' } }]

  test('the provider options of a request are merged into the body', () => {
    const { body } = wire({
      tools,
      toolChoice: { type: 'required' },
      providerOptions: {
        google: {
          safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'OFF' }],
          generationConfig: { topK: 4, thinkingConfig: { thinkingBudget: 100 } },
          tools: [{ googleSearch: {} }],
          toolConfig: { includeServerSideToolInvocations: true },
        },
        openai: { verbosity: 'low' },
      },
    })
    expect(body).toEqual({
      contents: [{ role: 'user', parts: [{ text: 'Greet me.' }] }],
      tools: [
        { functionDeclarations: [{ name: 'look_up', parametersJsonSchema: { type: 'object' } }] },
        { googleSearch: {} },
      ],
      toolConfig: { functionCallingConfig: { mode: 'ANY' }, includeServerSideToolInvocations: true },
      generationConfig: {
        maxOutputTokens: 64,
        temperature: 0.7,
        topP: 1,
        topK: 4,
        thinkingConfig: { thinkingBudget: 100 },
      },
      safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'OFF' }],
    })
  })

  test('the provider options of a request with the name of a prototype property are sent as they are', () => {
    const options: unknown = JSON.parse('{"google": {"__proto__": {"tools": []}, "constructor": 1}}')
    const { body } = wire({ providerOptions: options as TextRequest['providerOptions'] })
    expect(JSON.parse(JSON.stringify(body))).toMatchObject({ constructor: 1 })
    expect(body).not.toHaveProperty('tools')
  })
})

describe('tools', () => {
  const tool = { name: 'look_up', description: 'Looks up.', inputSchema: { type: 'object' } }

  test('tools are function declarations with their own fields', () => {
    const own = { providerOptions: { google: { behavior: 'NON_BLOCKING', name: 'other' } } }
    expect(wire({ tools: [{ ...tool, ...own }] }).body).toMatchObject({
      tools: [
        {
          functionDeclarations: [
            {
              name: 'look_up',
              description: 'Looks up.',
              parametersJsonSchema: { type: 'object' },
              behavior: 'NON_BLOCKING',
            },
          ],
        },
      ],
    })
  })

  test.each([
    [undefined, false, undefined],
    [undefined, true, { mode: 'VALIDATED' }],
    [{ type: 'auto' }, false, { mode: 'AUTO' }],
    [{ type: 'auto' }, true, { mode: 'VALIDATED' }],
    [{ type: 'none' }, true, { mode: 'NONE' }],
    [{ type: 'required' }, true, { mode: 'ANY' }],
    [{ type: 'tool', name: 'look_up' }, false, { mode: 'ANY', allowedFunctionNames: ['look_up'] }],
  ] as const)(
    'tools with the choice %j and strict: %j are called as %j',
    (toolChoice, strict, functionCallingConfig) => {
      const { body } = wire({ tools: [{ ...tool, strict }], toolChoice })
      expect(body.toolConfig).toEqual(functionCallingConfig && { functionCallingConfig })
    },
  )

  test('tools are absent from a request without any', () => {
    expect(wire({ tools: [] }).body).not.toHaveProperty('tools')
  })
})
