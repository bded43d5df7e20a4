import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyCharacter } from '../../core/src/testing/any-character.ts'
import { serve } from './testing/serve.ts'

const asked = process.env['FUZZ_RUNS']
/** 60 requests each, or the number given to `npm run fuzz -- <cases>`. */
const runs = asked === undefined ? { numRuns: 60 } : {}

/**
 * Maximum event loop time of a request in milliseconds, more beside other tests, which make it slower. A request that takes
 * more is sent again, up to eight times in all.
 */
const maxLoopMs = asked === undefined ? 150 : 50
const maxTries = 8
/** Maximum size of a response without data, in bytes. */
const maxErrorBytes = 65_536
const maxBodyBytes = 1024 * 1024

/** Part of literals and values. No error may repeat it. */
const canary = 'tr0ub4dor'

const count = fc.oneof(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 31, max: 2_000 }), fc.constant(100_000))
const name = fc.oneof(
  fc.constantFrom('models', 'generate', 'login', 'id', 'input', 'email', 'mode', 'emial', '__proto__', '__schema'),
  count.map((length) => 'A'.repeat(length)),
  count.map((length) => 'generat'.repeat(length)),
)
const value = fc.oneof(
  fc.constantFrom('1', 'null', '$v', 'TEXT', `"${canary}"`, `"""${canary}"""`, `{email: "${canary}"}`, '9'.repeat(400)),
  count.map((length) => `"${canary}${'x'.repeat(length)}"`),
  count.map((length) => `"${'\\u0041'.repeat(length)}"`),
  count.map((length) => `"""${many(length, () => `${canary}\n `)}"""`),
  count.map((length) => `[${many(length, () => `"${canary}" `)}]`),
  fc.tuple(count, fc.constantFrom('[', '{a:')).map(([depth, open]) => open.repeat(depth)),
  count.map((length) => `{${many(length, (n) => `emai${n}: "${canary}" `)}}`),
)
const field = fc.oneof(
  fc.constantFrom('__typename', 'models { id }', 'models { pricing { input } }', '...f', '... on Query { ...f }'),
  fc.constantFrom('me { id }', 'shipments(first: 100) { edges { node { id parcels { description } } } }'),
  name,
  fc.tuple(name, name, value).map(([of, argument, given]) => `${of}(${argument}: ${given}) { id }`),
  fc.tuple(name, value).map(([directive, given]) => `models @${directive}(if: ${given}) { id }`),
  value.map((given) => `login(input: {email: ${given}}) { expiresIn }`),
  value.map((given) => `generate(input: ${given}) { generation { content } }`),
)
/** Repeats a part. `#` becomes a number. */
const repeated = fc
  .tuple(
    fc.oneof(
      field,
      field.map((one) => `a#: ${one}`),
    ),
    count,
  )
  .map(([one, times]) => many(times, (n) => `${one.replace('#', `${n}`)} `))
const selection = fc.array(fc.oneof(field, repeated), { minLength: 1, maxLength: 4 }).map((all) => all.join('\n'))
const document = fc.oneof(
  fc
    .tuple(fc.constantFrom('', 'query', 'mutation', 'subscription', 'query Q($v: Int)'), selection)
    .map(([operation, fields]) => `${operation} { ${fields} } fragment f on Query { __typename }`),
  fc.tuple(name, selection).map(([operation, fields]) => `query ${operation} { ${fields} }`),
  fc.tuple(count, selection).map(([lines, fields]) => `{${'\n'.repeat(lines)}${fields}}`),
  fc
    .tuple(count, fc.constantFrom('{', '{a', '(', '[', '...{', '{a(b:['))
    .map(([depth, open]) => `{${open.repeat(depth)}`),
  // Fragments that spread the next one several times.
  fc
    .tuple(fc.integer({ min: 1, max: 120 }), fc.integer({ min: 1, max: 12 }), field)
    .map(([fragments, copies, last]) => {
      const all = many(fragments, (n) => `fragment f${n} on Query {${` ...f${n + 1}`.repeat(copies)}} `)
      return `{ ...f0 } ${all} fragment f${fragments} on Query { ${last} }`
    }),
  fc
    .tuple(count, name, value)
    .map(
      ([variables, type, given]) => `query(${many(variables, (n) => `$v${n}: ${type} = ${given} `)}) { __typename }`,
    ),
  fc.string({ unit: anyCharacter, maxLength: 200 }),
)

/** JSON texts, because `JSON.stringify` cannot serialize deeply nested values. */
const json = fc.oneof(
  fc.json(),
  fc.constantFrom('1', 'null', `"${canary}"`, `["${canary}"]`),
  count.map((length) => `"${canary.repeat(length)}"`),
  count.map((depth) => '['.repeat(depth) + ']'.repeat(depth)),
  count.map((depth) => `${'{"email":'.repeat(depth)}1${'}'.repeat(depth)}`),
  fc.tuple(count, name).map(([length, key]) => `{${many(length, (n) => `"${key}${n}":"${canary}",`)}"x":1}`),
  name.map((key) => object([[key, `"${canary}"`]])),
  count.map((length) => `[${many(length, () => `"${canary}",`)}1]`),
)
const inputName = fc.constantFrom('email', 'password', 'model', 'prompt', 'stop', 'parcels', 'reference', 'origin', 'x')
const input = fc.oneof(json, fc.array(fc.tuple(inputName, json), { maxLength: 4 }).map(object))
const inputDocument = fc.constantFrom(
  'mutation($v: LoginInput!) { login(input: $v) { expiresIn } }',
  'mutation($v: GenerateInput!) { generate(input: $v) { generation { content } } }',
  'mutation($v: CreateShipmentInput!) { createShipment(input: $v) { shipment { id } } }',
  'query($v: ModelType) { models(type: $v) { id } }',
  'query($v: Int) { shipments(first: $v) { edges { node { id } } } }',
)

const body = fc.oneof(
  document.map((query) =>
    object([
      ['query', JSON.stringify(query)],
      ['variables', '{"v":1}'],
    ]),
  ),
  fc.tuple(inputDocument, input).map(([query, v]) =>
    object([
      ['query', JSON.stringify(query)],
      ['variables', object([['v', v]])],
    ]),
  ),
  fc.tuple(inputDocument, json, name).map(([query, variables, operation]) =>
    object([
      ['query', JSON.stringify(query)],
      ['variables', variables],
      ['operationName', JSON.stringify(operation)],
    ]),
  ),
  json.map((extensions) =>
    object([
      ['query', '"{ __typename }"'],
      ['extensions', extensions],
    ]),
  ),
  fc.tuple(name, json).map(([key, content]) => object([[key, content]])),
  json,
)

function object(fields: readonly (readonly [name: string, json: string])[]): string {
  return `{${fields.map(([key, content]) => `${JSON.stringify(key)}:${content}`).join()}}`
}

/** Repeats a part, until the text is too long for a document. */
function many(times: number, part: (n: number) => string): string {
  let all = ''
  for (let n = 0; n < times && all.length < 200_000; n++) all += part(n)
  return all
}

describe('any request body', () => {
  test.each([true, false])(
    'any request body gets a fast response, and errors are short and repeat no value; with a key: %s',
    async (withKey) => {
      const { url, caller } = await serve()
      const send = (sent: Buffer) => post(url, sent, withKey ? { authorization: `Bearer ${caller.token}` } : {})
      await fc.assert(
        fc.asyncProperty(body, async (sent) => {
          const bytes = Buffer.from(sent)
          fc.pre(bytes.length <= maxBodyBytes)
          let answer = await send(bytes)
          for (let tries = 1; tries < maxTries && answer.loopMs > maxLoopMs; tries++) answer = await send(bytes)
          expect(answer.loopMs).toBeLessThan(maxLoopMs)
          expect([200, 400, 403, 405, 413, 415]).toContain(answer.status)
          const { errors = [], data } = JSON.parse(answer.text) as {
            readonly errors?: readonly Error[]
            readonly data?: unknown
          }
          expect(errors.every(({ message }) => message.length <= 300)).toBe(true)
          expect(JSON.stringify(errors)).not.toContain(canary)
          expect(answer.text.length).toBeLessThan(data === undefined ? maxErrorBytes : maxBodyBytes)
        }),
        runs,
      )
    },
  )
})

interface PostResponse {
  readonly status: number | undefined
  readonly text: string
  /** CPU time of client and server, which does not depend on the load of the machine. */
  readonly loopMs: number
}

async function post(url: string, sent: Buffer, headers: Readonly<Record<string, string>>): Promise<PostResponse> {
  const before = process.threadCpuUsage()
  const asking = request(url, {
    agent: false,
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/graphql-response+json', ...headers },
  }).end(sent)
  const [response] = (await once(asking, 'response')) as [IncomingMessage]
  const answer = await text(response)
  const { user, system } = process.threadCpuUsage(before)
  return { status: response.statusCode, text: answer, loopMs: (user + system) / 1000 }
}
