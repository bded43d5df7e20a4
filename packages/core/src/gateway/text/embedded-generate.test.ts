import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import * as v from 'valibot'
import { describe, expect, expectTypeOf, test } from 'vitest'
import * as z from 'zod'
import * as mini from 'zod/mini'
import { createFairlead } from '../../fairlead/create-fairlead.ts'
import { fakeTextModel } from '@fairlead/testing'
import type { FairleadError } from '../../runtime/errors.ts'
import type { TextAnswer } from '../messages/answer.ts'
import type { TextModel } from '../model.ts'
import type { Provider, TextRequest } from '../provider.ts'
import { textAnswer } from '../messages/text-answer.ts'
import type { GeneratedText } from './generated-text.ts'
import type { StandardSchema } from './standard-schema.ts'

/** A model that gives one answer after the other. */
function answering(answers: readonly (string | TextAnswer)[] = ['{"city":"Oslo"}'], facts: Partial<TextModel> = {}) {
  const requests: TextRequest[] = []
  const provider: Provider = {
    contract: 2,
    id: 'recorder',
    models: [fakeTextModel({ chat: true, tools: true, structured: true, streaming: true, ...facts })],
    async generateText(request) {
      const answer = answers[requests.push(request) - 1] ?? ''
      return typeof answer === 'string'
        ? textAnswer(answer, { usage: { promptTokens: 1, completionTokens: 1 } })
        : answer
    },
  }
  return { requests, fairlead: createFairlead({ providers: [provider] }) }
}

const forms = ['whole', 'with metadata', 'streamed'] as const

async function generated(
  form: (typeof forms)[number],
  { generate }: ReturnType<typeof answering>['fairlead'],
  output: StandardSchema<unknown, unknown>,
) {
  const input = { model: 'any', prompt: 'Where?', output }
  if (form === 'whole') return generate(input)
  return (await (form === 'streamed' ? generate.stream(input).result() : generate.withMeta(input))).data
}

const zodCity = z.object({ city: z.string() })
const jsonCity = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }

const libraries: readonly [string, StandardSchema<unknown, unknown>][] = [
  ['zod', zodCity],
  ['zod/mini', mini.toJSONSchema(mini.object({ city: mini.string() }))],
  ['valibot', toStandardJsonSchema(v.object({ city: v.string() }))],
  ['arktype', type({ city: 'string' })],
]

describe('the output of generate', () => {
  test.each(libraries.flatMap(([library, output]) => forms.map((form) => ({ library, output, form }))))(
    'the output of generate is an object of a $library schema beside the text ($form)',
    async ({ output, form }) => {
      const { fairlead, requests } = answering()
      const result = await generated(form, fairlead, output)
      expect(result).toMatchObject({ object: { city: 'Oslo' }, content: '{"city":"Oslo"}', toolCalls: [] })
      expect(requests).toMatchObject([
        { responseFormat: { type: 'json_schema', schema: { ...jsonCity, additionalProperties: false } } },
      ])
    },
  )

  test('the output of generate has the type of the schema', async () => {
    const { generate } = answering(Array.from({ length: 7 }, () => '{"city":"Oslo","size":"3"}')).fairlead
    const asked = { model: 'any', prompt: 'Where?' }
    const size = z.object({ size: z.string().transform(Number) })
    const zod = await generate({ ...asked, output: size })
    expectTypeOf(zod.object).toEqualTypeOf<{ size: number }>()
    expect(zod.object).toEqual({ size: 3 })
    const valibot = await generate({ ...asked, output: toStandardJsonSchema(v.object({ city: v.string() })) })
    expectTypeOf(valibot.object).toEqualTypeOf<{ city: string }>()
    const ark = await generate({ ...asked, output: type({ city: 'string', 'mayor?': 'string' }) })
    expectTypeOf(ark.object).toEqualTypeOf<{ city: string; mayor?: string }>()
    const { data } = await generate.withMeta({ ...asked, output: zodCity })
    expectTypeOf(data.object).toEqualTypeOf<{ city: string }>()
    const stream = generate.stream({ ...asked, output: zodCity })
    for await (const chunk of stream) expectTypeOf(chunk.content).toEqualTypeOf<string>()
    const streamed = await stream.result()
    expectTypeOf(streamed.data.object).toEqualTypeOf<{ city: string }>()
    const text = await generate(asked)
    expectTypeOf(text).toEqualTypeOf<GeneratedText>()
    // @ts-expect-error a schema of valibot has no JSON schema
    await expect(generate({ ...asked, output: v.object({ city: v.string() }) })).rejects.toThrow('JSON schema')
  })

  test('the output of generate streams the text, and returns the object at the end of the loop', async () => {
    const stream = answering().fairlead.generate.stream({ model: 'any', prompt: 'Where?', output: zodCity })
    let text = ''
    let next = await stream.next()
    for (; !next.done; next = await stream.next()) text += next.value.content
    expect(text).toBe('{"city":"Oslo"}')
    expect(next.value.object).toEqual({ city: 'Oslo' })
  })

  test('the output of generate may have as many tokens as the model can write, unless the request says otherwise', async () => {
    const { fairlead, requests } = answering(['{"city":"Oslo"}', '{"city":"Oslo"}'])
    await fairlead.generate({ model: 'any', prompt: 'Where?', output: zodCity })
    await fairlead.generate({ model: 'any', prompt: 'Where?', output: zodCity, maxTokens: 50 })
    expect(requests.map(({ maxTokens }) => maxTokens)).toEqual([undefined, 50])
  })

  test('the output of generate is asked for in words, and repaired once, if the model has no structured output', async () => {
    const { fairlead, requests } = answering(['In Oslo.', 'Here: {"city":"Oslo"}'], { structured: false })
    const { object } = await fairlead.generate({ model: 'any', prompt: 'Where?', output: zodCity })
    expect(object).toEqual({ city: 'Oslo' })
    expect(requests).toHaveLength(2)
  })

  test('the output of generate leaves open the objects that a schema combines, or opens itself', async () => {
    const { fairlead, requests } = answering(['{"city":"Oslo","land":"Norway"}', '{"city":"Oslo"}'])
    const combined = v.intersect([v.object({ city: v.string() }), v.object({ land: v.string() })])
    await fairlead.generate({ model: 'any', prompt: 'Where?', output: toStandardJsonSchema(combined) })
    await fairlead.generate({ model: 'any', prompt: 'Where?', output: z.looseObject({ city: z.string() }) })
    const [first, second] = requests.map(({ responseFormat }) => JSON.stringify(responseFormat))
    expect(first).toContain('"allOf"')
    expect(first).not.toContain('"additionalProperties":false')
    expect(second).toContain('"additionalProperties":{}')
  })
})

describe('an output of generate that fails', () => {
  const answer = (finishReason: TextAnswer['finishReason'], text: string): TextAnswer => ({
    ...textAnswer(text, { usage: { promptTokens: 1, completionTokens: 1 } }),
    finishReason,
  })
  const refused: TextAnswer = { ...answer('refusal', ''), parts: [{ type: 'refusal', text: 'I cannot help.' }] }

  test.each<[string, string | TextAnswer, string, string, string]>([
    [
      'an answer that does not match',
      '{"city":7}',
      'PROVIDER_ERROR',
      'stop',
      'The object does not match "output": city: ',
    ],
    ['an answer without JSON', 'In Oslo.', 'PROVIDER_ERROR', 'stop', 'The model did not return valid JSON.'],
    [
      'an answer that is cut off',
      answer('length', '{"city":"Os'),
      'PROVIDER_ERROR',
      'length',
      'Set a higher "maxTokens"',
    ],
    ['an answer that is paused', answer('pause', '{"city":"Os'), 'PROVIDER_ERROR', 'pause', 'paused the turn'],
    ['a refusal', refused, 'CONTENT_REFUSED', 'content_filter', 'The model refused: I cannot help.'],
    [
      'a filtered answer',
      answer('content_filter', ''),
      'CONTENT_REFUSED',
      'content_filter',
      'The answer was filtered.',
    ],
  ])(
    'an output of generate that fails rejects with the reason and the answer for %s',
    async (_case, given, code, finishReason, message) => {
      for (const form of forms) {
        const error: FairleadError = await generated(form, answering([given]).fairlead, zodCity).then(
          () => expect.unreachable(),
          (reason) => reason,
        )
        expect(error).toMatchObject({ name: 'FairleadError', code, facts: { finishReason } })
        expect(error.message).toContain(message)
        expect(error.cause).toMatchObject({ finishReason, usage: { promptTokens: 1 } })
      }
    },
  )

  test('an output of generate that fails names the fields that do not match, with the issues of the library', async () => {
    const { generate } = answering(['{"from":{"city":7}}']).fairlead
    const output = z.object({ from: zodCity }).refine(() => false, { error: 'must be near', when: () => true })
    await expect(generate({ model: 'any', prompt: 'Where?', output })).rejects.toMatchObject({
      issues: [
        { field: 'object.from.city', issue: expect.stringContaining('expected string') },
        { field: 'object', issue: 'must be near' },
      ],
    })
  })

  test('an output of generate that fails rejects if a model without structured output returns no JSON twice', async () => {
    const { fairlead, requests } = answering(['Oslo', 'Oslo'], { structured: false })
    await expect(generated('whole', fairlead, zodCity)).rejects.toMatchObject({
      code: 'PROVIDER_ERROR',
      message: 'The model did not return valid JSON.',
    })
    expect(requests).toHaveLength(2)
  })

  const bare = v.object({ city: v.string() }) as unknown as StandardSchema
  const own = {
    '~standard': { version: 1, vendor: 'own', validate: () => ({ value: 1 }) },
  } as unknown as StandardSchema

  test.each<[string, StandardSchema, RegExp]>([
    ['a schema of valibot alone', bare, /^has no JSON schema, .*; pass toStandardJsonSchema\(schema\) of @valibot/],
    ['a schema of zod/mini', mini.object({}) as unknown as StandardSchema, /; pass z\.toJSONSchema\(schema\), or/],
    ['a schema of another library without a JSON schema', own, /; pass a schema with "~standard\.jsonSchema"/],
    ['a schema of a date', z.object({ at: z.date() }) as unknown as StandardSchema, /^cannot be expressed as a JSON/],
    [
      'a schema of an array',
      z.array(zodCity),
      /^must be the schema of an object, .*; put the array in a field of one$/,
    ],
  ])('an output of generate that fails rejects %s before any call, with what to do', async (_case, output, issue) => {
    const { fairlead, requests } = answering()
    await expect(generated('whole', fairlead, output)).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      issues: [{ field: 'output', issue: expect.stringMatching(issue) }],
    })
    expect(requests).toEqual([])
  })

  test.each<[string, object]>([
    ['tools', { tools: [{ name: 'find', inputSchema: zodCity }] }],
    ['responseFormat', { responseFormat: { type: 'json' } }],
  ])('an output of generate that fails rejects %s beside an output', async (field, change) => {
    const { generate } = answering().fairlead
    await expect(generate({ model: 'any', prompt: 'Where?', output: zodCity, ...change })).rejects.toMatchObject({
      issues: [{ field, issue: expect.stringMatching(/^cannot be combined with "output"/) }],
    })
  })
})

describe('schemas of libraries in generate', () => {
  test.each(libraries)(
    'schemas of libraries in generate reach the provider as JSON schemas, of tools and of a response format (%s)',
    async (_, schema) => {
      const { fairlead, requests } = answering()
      await fairlead.generate({
        model: 'any',
        prompt: 'Where?',
        tools: [{ name: 'find', inputSchema: schema }],
        responseFormat: { type: 'json_schema', schema },
      })
      expect(requests).toMatchObject([
        { tools: [{ name: 'find', inputSchema: jsonCity }], responseFormat: { type: 'json_schema', schema: jsonCity } },
      ])
    },
  )

  test('schemas of libraries in generate are rejected by the name of their field if JSON schema cannot express them', async () => {
    const { fairlead } = answering()
    const dated = { model: 'any', prompt: 'When?', tools: [{ name: 'find', inputSchema: z.object({ at: z.date() }) }] }
    await expect(fairlead.generate(dated)).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      issues: [
        { field: 'tools[0].inputSchema', issue: expect.stringMatching(/^cannot be expressed as a JSON schema: /) },
      ],
    })
  })

  test('schemas of libraries in generate are those of runTools too', async () => {
    const { fairlead, requests } = answering()
    const find = { inputSchema: zodCity, execute: () => 'found' }
    const responseFormat = { type: 'json_schema', schema: zodCity } as const
    await fairlead.runTools({ model: 'any', prompt: 'Where?', responseFormat, tools: { find } })
    expect(requests).toMatchObject([{ tools: [{ inputSchema: jsonCity }], responseFormat: { schema: jsonCity } }])
  })
})
