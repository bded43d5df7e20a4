import { failing, fakeImageModel, scripted, fakeTextModel } from '@fairlead/testing'
import type { GraphQLError } from 'graphql'
import { describe, expect, test } from 'vitest'
import { serve } from './testing/serve.ts'

const generate = 'mutation($input: GenerateInput!) { generate(input: $input) { generation { content } } }'

describe('an error', () => {
  test('an error has the code and details of core, and the request id', async () => {
    const { ask } = await serve()
    const { json, headers, status } = await ask(generate, { input: { model: 'nope', prompt: 'hi' } })
    expect(status).toBe(200)
    expect(json.data).toEqual({ generate: null })
    expect(json.errors).toMatchObject([
      {
        path: ['generate'],
        extensions: {
          code: 'INVALID_REQUEST',
          details: { field: 'model', issues: [{ field: 'model' }] },
          requestId: headers.get('x-request-id'),
        },
      },
    ])
  })

  test('an error suggests the model that an unknown id was probably meant for', async () => {
    const { ask } = await serve({
      providers: [{ ...scripted('calm', 'hi'), models: [fakeTextModel({ id: 'gpt-5.4' })] }],
    })
    const { json } = await ask(
      'mutation { generate(input: {model: "gpt-54", prompt: "a"}) { generation { content } } }',
    )
    expect(json.errors).toMatchObject([{ message: 'model: unknown model "gpt-54"; did you mean "gpt-5.4"?' }])
  })

  test('an error of one field does not affect other fields', async () => {
    const { ask } = await serve()
    const { json } = await ask(
      'mutation { bad: generate(input: {model: "nope", prompt: "a"}) { generation { content } } good: generate(input: {model: "any", prompt: "a"}) { generation { content } } }',
    )
    expect(json.data).toEqual({ bad: null, good: { generation: { content: 'hello there' } } })
    expect(json.errors).toHaveLength(1)
  })

  test.each([
    [
      'mutation($password: String = "x") { login(input: { email: "a", password: $password }) { expiresIn } }',
      'password',
    ],
    ['query($id: ID = "any") { model(id: $id) { id } }', 'id'],
    ['query($if: Boolean = true) { models { id @include(if: $if) } }', 'if'],
  ])('an error names the variable that is null: %s', async (query, field) => {
    const { ask, logged } = await serve()
    const { json } = await ask(query, { [field]: null })
    expect(json.errors[0].extensions).toMatchObject({
      code: 'INVALID_REQUEST',
      details: { field, issue: 'is required' },
    })
    expect(logged).toEqual([])
  })

  test('an error of an exceeded quota has retryAfterMs', async () => {
    const { ask, stores, keyId } = await serve()
    for (let n = 0; n < 1_000; n++) await stores.reserve(keyId, null)
    const { json } = await ask('{ models { id } }')
    expect(json.errors[0].extensions).toMatchObject({ code: 'QUOTA_EXCEEDED', retryAfterMs: expect.any(Number) })
  })

  test('an error of a provider does not reveal its message', async () => {
    const { ask } = await serve({ providers: [failing('down', 'give_up', { cause: new Error('sk-secret') })] })
    const { json, text } = await ask(generate, { input: { model: 'any', prompt: 'hi' } })
    expect(json.errors[0].extensions).toMatchObject({ code: 'PROVIDER_ERROR', details: { provider: 'down' } })
    expect(text).not.toContain('secret')
  })

  test('an error of a bug is masked and logged', async () => {
    const broken = scripted('broken', 'x')
    const { ask, logged } = await serve({
      providers: [
        { ...broken, models: [fakeImageModel()], generateImage: () => Promise.resolve({ png: 'nothing' } as never) },
      ],
    })
    const { json } = await ask('mutation { generateImage(input: {model: "picture", prompt: "a"}) { image { url } } }')
    expect(json.errors[0].extensions.code).toMatch(/PROVIDER_ERROR|INTERNAL_ERROR/)
    expect(JSON.stringify(json)).not.toContain('png')
    expect(logged.length).toBeGreaterThan(0)
  })

  test.each<[string, object, string, string]>([
    ['GenerateInput', { model: 'any', prompt: 1 }, 'prompt', 'must be a string'],
    [
      'GenerateInput',
      { model: 'any', prompt: 'a', maxTokens: 1.5 },
      'maxTokens',
      'must be an integer of up to 53 bits',
    ],
    ['GenerateInput', { prompt: 'a' }, 'model', 'is required'],
    [
      'GenerateInput',
      { model: 'any', prompt: 'a', temprature: 1 },
      'temprature',
      'is not a known field; did you mean "temperature"?',
    ],
    [
      'GenerateInput',
      { model: 'any', prompt: 'a', max_output_tokens: 1 },
      'max_output_tokens',
      'is not a known field; did you mean "maxTokens"?',
    ],
    [
      'GenerateInput',
      { model: 'any', prompt: 'a', system: 'b' },
      'system',
      'is not a known field; send it in "messages", with the role "system"',
    ],
    ['GenerateInput', { model: 'any', prompt: 'a', stop: ['a', 2] }, 'stop[1]', 'must be a string'],
    ['GenerateInput', { model: 'any', prompt: 'a', temperature: 'hot' }, 'temperature', 'must be a number'],
  ])(
    'an error of coercion in a variable is INVALID_REQUEST and names the field: %s %j',
    async (_type, input, field, issue) => {
      const { ask } = await serve()
      const { json, status } = await ask(
        generate,
        { input },
        { headers: { accept: 'application/graphql-response+json' } },
      )
      expect(status).toBe(400)
      expect(json.errors[0]).toMatchObject({
        message: `${field} ${issue}`,
        extensions: { code: 'INVALID_REQUEST', details: { field, issue } },
      })
    },
  )

  test.each([
    ['generate(input: {model: "any", prompt: 1}) { generation { content } }', 'prompt', 'must be a string'],
    ['generate(input: {model: "any"}) { generation { content } }', 'prompt', 'is required unless you send "messages"'],
    ['generate { content }', 'input', 'is required'],
    [
      'generate(input: {model: "any", messages: [{role: USER, content: [{type: TEXT, text: "a"}]}]}) { generation { content } }',
      'messages[0].content',
      'must be a string; a list belongs in "contentParts"',
    ],
    [
      'generate(input: {model: "any", prompt: "a", stop: ["a", 2]}) { generation { content } }',
      'stop[1]',
      'must be a string',
    ],
    [
      'analyze(input: {text: "a", tasks: [NOISE]}) { analysis { sentiment { score } } }',
      'tasks[0]',
      'must be one of the values of AnalysisTask: ENTITIES, KEYWORDS, SENTIMENT',
    ],
    [
      'createShipment(input: {reference: "a", parcels: [{weightKg: "x"}], origin: {name: "a"}}) { shipment { id } }',
      'destination',
      'is required',
    ],
  ])('an error of coercion in a document is INVALID_REQUEST and names the field: %s', async (field, at, issue) => {
    const { ask } = await serve()
    const { json } = await ask(`mutation { ${field} }`)
    expect(json.errors[0].extensions).toMatchObject({ code: 'INVALID_REQUEST', details: { field: at, issue } })
  })

  test('an error never repeats a value', async () => {
    const { ask } = await serve()
    const login = 'mutation($input: LoginInput!) { login(input: $input) { accessToken } }'
    const { text } = await ask(login, { input: { password: 'correct horse battery' } })
    expect(text).toContain('email is required')
    expect(text).not.toContain('battery')
  })

  // Without suggestions, graphql-js has other messages.
  describe.each([true, false])('with suggestions: %s', (suggestions) => {
    test.each([
      ['xyzzy', 'is not a known field'],
      ['not a name', 'is not a known field'],
      ['passwrod', suggestions ? 'is not a known field; did you mean "password"?' : 'is not a known field'],
    ])('an error with suggestions names an unknown field, and no value: %s', async (name, issue) => {
      const { ask } = await serve({ suggestions })
      const login = 'mutation($input: LoginInput!) { login(input: $input) { accessToken } }'
      const { json, text } = await ask(login, { input: { email: 'a', password: 'battery', [name]: 'staple' } })
      expect(json.errors[0].extensions.details).toMatchObject({ field: name, issue })
      expect(text).not.toMatch(/battery|staple/)
    })

    test.each([
      ['mutation { login(input: "battery") { expiresIn } }', 'input', 'must be an object'],
      ['mutation($i: LoginInput! = "battery") { login(input: $i) { expiresIn } }', 'i', 'must be an object'],
      ['mutation { login(input: {password: "battery", xyzzy: 1}) { expiresIn } }', 'xyzzy', 'is not a known field'],
    ])(
      'an error with suggestions names an invalid field of a document, and no value: %s',
      async (query, field, issue) => {
        const { ask } = await serve({ suggestions })
        const { json, text } = await ask(query)
        expect(json.errors.map((error: GraphQLError) => error.extensions['details'])).toContainEqual(
          expect.objectContaining({ field, issue }),
        )
        expect(text).not.toContain('battery')
      },
    )
  })

  test.each([
    ['mutation { login(input: { email: "a", password: ["battery"] }) { expiresIn } }', {}, 'password'],
    ['mutation { login(input: { email: "a", password: { battery: "battery" } }) { expiresIn } }', {}, 'password'],
    ['mutation { login(input: { email: "a", password: battery }) { expiresIn } }', {}, 'password'],
    ['mutation($p: [String]) { login(input: { email: "a", password: $p }) { expiresIn } }', { p: 'battery' }, 'p'],
  ])(
    'an error names the field of a value with a wrong type, and not the value: %s',
    async (query, variables, field) => {
      const { ask } = await serve()
      const { json, text } = await ask(query, variables)
      expect(json.errors).toMatchObject([{ extensions: { code: 'INVALID_REQUEST', details: { field } } }])
      expect(text).not.toContain('battery')
    },
  )

  test('an error of variables is one of at most 20, each naming its field', async () => {
    const { ask } = await serve()
    const unknown = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`x${n}`, 'battery']))
    const { json, text } = await ask(generate, { input: { model: 'any', prompt: 'a', ...unknown } })
    expect(json.errors).toHaveLength(20)
    expect(json.errors[19].extensions.details).toMatchObject({ field: 'x19', issue: 'is not a known field' })
    expect(text).not.toContain('battery')
  })

  test('an error repeats at most 120 characters of a name, and has no suggestion for a long one', async () => {
    const { ask } = await serve()
    const { json } = await ask(generate, { input: { model: 'any', prompt: 'a', ['prompt'.repeat(100_000)]: 1 } })
    const { details } = json.errors[0].extensions
    expect(details).toMatchObject({
      field: `${'prompt'.repeat(20).slice(0, 119)}…`,
      issue: 'is not a known field',
    })
    expect(json.errors[0].message).toBe(`${details.field} ${details.issue}`)
  })

  test.each<[string, object, string, string]>([
    [
      'query($t: ModelType) { models(type: $t) { id } }',
      { t: 'battery' },
      't',
      'must be one of the values of ModelType: IMAGE, TEXT',
    ],
    ['query($n: Int!) { shipments(first: $n) { edges { cursor } } }', {}, 'n', 'is required'],
    ['query($i: Boolean!) { models @include(if: $i) { id } }', { i: 'battery' }, 'i', 'must be a boolean'],
    [
      'mutation($s: [String!]) { generate(input: { model: "any", prompt: "a", stop: $s }) { generation { content } } }',
      { s: ['a', 2] },
      's[1]',
      'must be a string',
    ],
  ])('an error of a variable within an input names the variable: %s %j', async (query, variables, field, issue) => {
    const { ask } = await serve()
    const { json, text } = await ask(query, variables)
    expect(json.errors).toMatchObject([{ extensions: { details: { field, issue } } }])
    expect(text).not.toContain('battery')
  })

  test.each([
    'mutation { login(input: {email: "a" "battery"}) { expiresIn } }',
    'mutation { login(input: {"battery": "a"}) { expiresIn } }',
    '{ models(type: """a""" """battery""") { id } }',
    '{ shipments(first: 1234567 7654321) { id } }',
    '{ shipments(first: 1234567 7654321.5) { id } }',
  ])('an error of the syntax does not repeat a literal: %s', async (query) => {
    const { ask } = await serve()
    const { json, text } = await ask(query)
    expect(json.errors[0]).toMatchObject({
      message: expect.stringMatching(/^Syntax Error: Expected Name, found \w+\.$/),
      locations: [{ line: 1 }],
    })
    expect(text).not.toMatch(/battery|7654321/)
  })

  test('an error uses the names of GraphQL for paging arguments', async () => {
    const { ask } = await serve()
    const { json } = await ask('{ shipments(first: 1000) { pageInfo { endCursor } } }')
    expect(json.errors[0].extensions.details).toMatchObject({ field: 'first' })
  })
})
