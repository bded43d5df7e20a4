import type { JsonObject, TextRequest } from '@fairlead/core/provider'
import { describe, expect, test } from 'vitest'
import type { AnthropicEffort } from './model-rules.ts'
import { said } from './testing/messages.ts'
import { toWire } from './to-wire.ts'

function wire(request: Partial<TextRequest>, effort?: AnthropicEffort) {
  const { body, warnings } = toWire(
    {
      model: 'claude-haiku-4-5',
      messages: [said('user', 'Greet me.')],
      maxTokens: 64,
      temperature: 0.7,
      topP: 1,
      frequencyPenalty: 0,
      presencePenalty: 0,
      ...request,
    },
    { id: 'anthropic', effort, maxTokensOf: () => 128_000 },
  )
  return { body, warned: warnings.map(({ field }) => field) }
}

describe('the request of a client of the API', () => {
  const client = (fields: JsonObject, request: Partial<TextRequest> = {}) =>
    toWire(
      {
        model: 'claude-haiku-5-5',
        messages: [said('user', 'Hi.')],
        maxTokens: 64,
        ...request,
        native: { anthropic: fields },
      },
      { id: 'anthropic', effort: 'high', maxTokensOf: () => 128_000, headers: { 'anthropic-beta': 'a-1' } },
    )
  const sent = { model: 'claude-haiku-5-5', max_tokens: 64, messages: [{ role: 'user', content: 'Hi.' }] }

  test('the request of a client of the API has its fields as they are, also those that the model may not take, and nothing of the operator', () => {
    const fields = {
      temperature: 0.7,
      top_p: 0.9,
      stop_sequences: [' '],
      metadata: null,
      thinking: { type: 'enabled' },
    }
    const request = { temperature: 0.7, topP: 0.9, stop: [' '], reasoning: { effort: 'low' as const } }
    expect(client(fields, request)).toEqual({ body: { ...fields, ...sent }, headers: {}, warnings: [] })
  })

  test('the request of a client of the API has its beta features in the header, with those of the configured headers', () => {
    const { body, headers } = client({ anthropic_beta: 'b-2,c-3' })
    expect([body, headers]).toEqual([sent, { 'anthropic-beta': 'a-1,b-2,c-3' }])
    expect(() => client({ anthropic_beta: 'b\r\nx-api-key: c' })).toThrow(
      expect.objectContaining({ failure: 'invalid_request' }),
    )
  })

  test('the request of a client of the API has its system prompt, and behind it what the model takes only there', () => {
    const later = said('system', 'Be kind.')
    const own = { ...said('system', 'Be brief.'), native: { anthropic: [] } }
    const { body } = client({ system: 'Be brief.' }, { messages: [own, later, said('user', 'Hi.')] })
    expect(body.system).toEqual([
      { type: 'text', text: 'Be brief.' },
      { type: 'text', text: 'Be kind.' },
    ])
    const alone = client({ system: 'Be brief.' }, { messages: [own, said('user', 'Hi.')] })
    expect(alone.body).toEqual({ system: 'Be brief.', ...sent })
  })

  test('the request of a client of the API has the provider options of an embedding program beside its fields', () => {
    const { body } = client({ top_k: 5 }, { providerOptions: { anthropic: { metadata: { user_id: 'ada' } } } })
    expect(body).toEqual({ top_k: 5, ...sent, metadata: { user_id: 'ada' } })
  })
})

describe('a request to the Messages API', () => {
  test('a request to the Messages API has the prompt as a user message', () => {
    expect(wire({ stop: ['END'] })).toEqual({
      body: {
        model: 'claude-haiku-4-5',
        max_tokens: 64,
        messages: [{ role: 'user', content: 'Greet me.' }],
        stop_sequences: ['END'],
        temperature: 0.7,
      },
      warned: [],
    })
  })

  test('a request to the Messages API lowers a temperature that the API would reject', () => {
    expect(wire({ temperature: 1.6 })).toMatchObject({ body: { temperature: 1 }, warned: ['temperature'] })
    expect(wire({ temperature: 1 })).toMatchObject({ body: { temperature: 1 }, warned: [] })
  })

  test('a request to the Messages API has no top_p, which the API rejects beside a temperature', () => {
    expect(wire({ topP: 0.4 })).toMatchObject({ body: { temperature: 0.7 }, warned: ['topP'] })
    expect(wire({ topP: 0.4 }).body).not.toHaveProperty('top_p')
  })

  test('a request to the Messages API has no parameters that the request does not have', () => {
    const request = { model: 'claude-haiku-4-5', messages: [said('user', 'Greet me.')] }
    expect(toWire(request, { id: 'anthropic', maxTokensOf: () => 64_000 })).toMatchObject({
      body: { model: 'claude-haiku-4-5', max_tokens: 64_000, messages: [{ role: 'user', content: 'Greet me.' }] },
      warnings: [],
    })
    const { body } = toWire({ ...request, topP: 0.4 }, { id: 'anthropic', maxTokensOf: () => 64_000 })
    expect(body).toMatchObject({ top_p: 0.4 })
    expect(body).not.toHaveProperty('temperature')
  })

  test.each(['claude-opus-5-5', 'claude-haiku-5-5', 'claude-opus-4-7', 'claude-from-tomorrow'])(
    'a request to the Messages API holds no sampling for %s, and says what was asked for it',
    (model) => {
      expect(wire({ model }).warned).toEqual([])
      const asked = wire({ model, temperature: 0, topP: 0.9 })
      expect(asked.warned).toEqual(['temperature', 'topP'])
      expect(asked.body).not.toHaveProperty('temperature')
    },
  )

  test('a request to the Messages API warns about penalties and a seed, which no model supports', () => {
    expect(wire({ frequencyPenalty: 1, presencePenalty: -1, seed: 0 }).warned).toEqual([
      'frequencyPenalty',
      'presencePenalty',
      'seed',
    ])
  })

  test('a request to the Messages API omits stop sequences of white space, which the API rejects', () => {
    expect(wire({ stop: ['\n\n', 'END'] })).toMatchObject({ body: { stop_sequences: ['END'] }, warned: ['stop'] })
    expect(wire({ stop: [' '] }).body).not.toHaveProperty('stop_sequences')
  })

  test.each([
    ['claude-haiku-4-5', {}],
    ['claude-haiku-5-5', { thinking: { type: 'disabled' } }],
    ['claude-sonnet-5', { thinking: { type: 'disabled' } }],
    ['claude-sonnet-5-5', { thinking: { type: 'between_tools' } }],
    ['claude-opus-5', { thinking: { type: 'disabled' } }],
    ['claude-opus-5-5', { output_config: { effort: 'low' } }],
    ['claude-fable-5-2', { output_config: { effort: 'low' } }],
    ['claude-from-tomorrow', {}],
  ])('a request to the Messages API asks %s for its minimum of thinking', (model, least) => {
    const { thinking, output_config } = wire({ model }).body
    expect({ ...(thinking && { thinking }), ...(output_config && { output_config }) }).toEqual(least)
  })

  test('a request to the Messages API asks for no thinking of its own if the request says null, unless it is configured', () => {
    const request = { model: 'claude-opus-5', reasoning: { effort: null } }
    expect(wire(request).body).not.toHaveProperty('thinking')
    expect(wire(request, 'high').body).toMatchObject({ output_config: { effort: 'high' } })
  })

  test('a request to the Messages API asks for the configured effort, and omits the temperature', () => {
    expect(wire({ model: 'claude-sonnet-4-6', temperature: 0.2 }, 'high')).toMatchObject({
      body: { thinking: { type: 'adaptive', display: 'summarized' }, output_config: { effort: 'high' } },
      warned: ['temperature'],
    })
    expect(wire({ model: 'claude-haiku-4-5', maxTokens: 20_000, temperature: 0.2 }, 'high')).toMatchObject({
      body: { thinking: { type: 'enabled', budget_tokens: 16_384 } },
      warned: ['temperature'],
    })
  })

  test.each([
    ['claude-opus-5-5', 'minimal', 'low', ['reasoning']],
    ['claude-opus-5-5', 'xhigh', 'xhigh', []],
    ['claude-opus-4-6', 'xhigh', 'high', ['reasoning']],
    ['claude-sonnet-5-5', 'medium', 'medium', []],
  ] as const)(
    'a request to the Messages API asks %s for the effort next to %s, with a warning if it has another',
    (model, effort, wired, warnings) => {
      const { body, warned } = wire({ model, reasoning: { effort } }, 'max')
      expect(body).toMatchObject({ thinking: { type: 'adaptive' }, output_config: { effort: wired } })
      expect(warned.filter((field) => field === 'reasoning')).toEqual(warnings)
    },
  )

  test.each([
    ['claude-haiku-5-5', { thinking: { type: 'disabled' } }, []],
    ['claude-sonnet-5-5', { thinking: { type: 'between_tools' } }, []],
    ['claude-haiku-4-5', {}, []],
    ['claude-opus-5-5', { output_config: { effort: 'low' } }, ['reasoning']],
  ])(
    'a request to the Messages API turns reasoning off for %s as far as it can, whatever is configured',
    (model, off, warnings) => {
      const { body, warned } = wire({ model, reasoning: { effort: 'none' } }, 'max')
      const { thinking, output_config } = body
      expect({ ...(thinking && { thinking }), ...(output_config && { output_config }) }).toEqual(off)
      expect(warned).toEqual(warnings)
    },
  )

  test.each([
    ['low', 64_000, 2_048],
    ['xhigh', 64_000, 32_768],
    ['high', 9_000, 8_999],
    ['minimal', 1_025, 1_024],
  ] as const)(
    'a request to the Messages API gives Haiku 4.5 a budget for the effort %s of %i tokens',
    (effort, maxTokens, budget_tokens) => {
      const { body, warned } = wire({ model: 'claude-haiku-4-5', maxTokens, reasoning: { effort } })
      expect([body.thinking, body.output_config, warned]).toEqual([{ type: 'enabled', budget_tokens }, undefined, []])
    },
  )

  test.each([
    ['too few tokens', { maxTokens: 1_024 }],
    ['a forced tool', { tools: [{ name: 'find', inputSchema: {} }], toolChoice: { type: 'required' } as const }],
  ])('a request to the Messages API warns that Haiku 4.5 cannot think with %s', (_title, request) => {
    const { body, warned } = wire({ model: 'claude-haiku-4-5', reasoning: { effort: 'high' }, ...request })
    expect([body.thinking, warned]).toEqual([undefined, ['reasoning']])
  })

  test('a request to the Messages API sends the thinking of a client of the API as it is, without a warning', () => {
    const thinking = { type: 'enabled', budget_tokens: 2_000 }
    const providerOptions = { anthropic: { thinking } }
    for (const model of ['claude-haiku-4-5', 'claude-3-5-haiku', 'claude-from-tomorrow']) {
      const { body, warned } = wire({ model, reasoning: { effort: 'low' }, providerOptions })
      expect([body.thinking, warned]).toEqual([thinking, []])
    }
  })

  test('a request to the Messages API warns that a model has no effort', () => {
    expect(wire({ model: 'claude-3-5-haiku', reasoning: { effort: 'high' } }).warned).toEqual(['reasoning'])
  })

  const schema = { type: 'object', properties: { mood: { type: 'string' } }, required: ['mood'] }

  test('a request to the Messages API requests JSON of the schema, with its name and description', () => {
    const format = { type: 'json_schema', schema, name: 'mood', description: 'A mood.' } as const
    expect(wire({ responseFormat: format }).body.output_config).toEqual({
      format: {
        type: 'json_schema',
        schema: { ...schema, title: 'mood', description: 'A mood.', additionalProperties: false },
      },
    })
    expect(wire({ model: 'claude-opus-5-5', responseFormat: format }).body.output_config).toMatchObject({
      effort: 'low',
      format: { type: 'json_schema' },
    })
  })

  test('a request to the Messages API asks for JSON without a schema in the system prompt', () => {
    const { body } = wire({
      messages: [said('system', 'Be brief.'), said('user', 'How is Ada?')],
      responseFormat: { type: 'json' },
    })
    expect(body.system).toEqual([
      { type: 'text', text: 'Be brief.' },
      { type: 'text', text: expect.stringContaining('JSON object') },
    ])
    expect(body).not.toHaveProperty('output_config')
  })
})
