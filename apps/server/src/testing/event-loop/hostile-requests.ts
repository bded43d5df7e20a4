import { readFileSync } from 'node:fs'
import { operations } from '@fairlead/testing/workspace'
import { acceptedInput } from '@fairlead/core/adapter'
import { type Route, listRoutes } from '@fairlead/rest-adapter'
import * as fc from 'fast-check'
import { buildSchema, type GraphQLField } from 'graphql'
import * as z from 'zod'
import { hostilePrefixes, hostileUnits, repeated } from './hostile-texts.ts'
import { inputWith, type Shape, shapeOfSchema, shapeOfType, textFields } from './input-shape.ts'

/** A request that is meant to take long. */
export interface HostileRequest {
  /** A description for the report of a failure. */
  readonly title: string
  readonly method: string
  /** Includes the query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly hasKey: boolean
}

const mebibyte = 1_048_576

/** One operation of REST or GraphQL. */
interface Target {
  readonly name: string
  readonly shape: Shape
  send(input: unknown): Pick<HostileRequest, 'method' | 'path' | 'body'>
  /** Sends unparsed JSON as the input. */
  sendJson(json: string): Pick<HostileRequest, 'method' | 'path' | 'body'>
}

/** Valid texts for fields that would reject `x`. */
const usualValues: Readonly<Record<string, unknown>> = {
  email: 'ada@example.com',
  password: 'correct horse battery',
  size: '256x256',
  origin: { name: 'Ada', street: '1 Quay', city: 'Hamburg', postal_code: '20457', country: 'DE' },
}
const models: Readonly<Record<string, readonly string[]>> = {
  generate: ['scribe', 'mirror'],
  generateImage: ['motif', 'vista'],
  analyze: ['reader', 'any'],
  embed: ['vectors', 'numbers/vectors'],
}
const allTasks = ['sentiment', 'entities', 'keywords']

function restTarget({ method, path, operation }: Route): Target {
  const shape = shapeOfSchema(z.toJSONSchema(acceptedInput(operation), { io: 'input', unrepresentable: 'any' }))
  const hasBody = method === 'POST' || method === 'PUT'
  const address = (id: string) => path.replace(/\{\w+\}/g, encodeURIComponent(id.toWellFormed()))
  return {
    name: `${method} ${path}`,
    shape,
    send(input) {
      const { id, ...rest } = input as Record<string, unknown>
      const inPath = path.includes('{id}') ? String(id ?? 'me').slice(0, 1_000) : ''
      if (hasBody) return { method, path: address(inPath), body: JSON.stringify(path.includes('{id}') ? rest : input) }
      const query = Object.entries(path.includes('{id}') ? rest : (input as object)).map(
        ([name, value]) => `${name}=${encodeURIComponent(String(value).toWellFormed())}`,
      )
      return { method, path: `${address(inPath)}?${query.join('&').slice(0, 12_000).replace(/%\w?$/, '')}` }
    },
    sendJson: (body) => ({ method, path: address('me'), ...(hasBody && { body }) }),
  }
}

const schemaFile = new URL('../../../../../packages/graphql-adapter/src/schema/schema.graphql', import.meta.url)

function graphqlTargets(): Target[] {
  const schema = buildSchema(readFileSync(schemaFile, 'utf8'))
  const fieldsOf = (kind: 'query' | 'mutation') => {
    const type = kind === 'query' ? schema.getQueryType() : schema.getMutationType()
    return Object.values(type?.getFields() ?? {}).map((field) => graphqlTarget(kind, field))
  }
  return [...fieldsOf('query'), ...fieldsOf('mutation')]
}

function graphqlTarget(kind: 'query' | 'mutation', { name, args, type }: GraphQLField<unknown, unknown>): Target {
  const fields = args.map(
    (arg) => [arg.name, { shape: shapeOfType(arg.type), isRequired: arg.name === 'input' }] as const,
  )
  const declared = args.map((arg) => `$${arg.name}: ${String(arg.type)}`).join(', ')
  const passed = args.map((arg) => `${arg.name}: $${arg.name}`).join(', ')
  const selected = /^(?:String|Int|Float|ID|Boolean)/.test(String(type)) ? '' : '{ __typename }'
  const query = `${kind} ${declared && `(${declared})`} { ${name} ${passed && `(${passed})`} ${selected} }`
  const post = (body: string) => ({ method: 'POST', path: '/graphql', body })
  return {
    name: `GraphQL ${name}`,
    shape: { kind: 'object', fields: Object.fromEntries(fields) },
    send: (variables) => post(JSON.stringify({ query, variables })),
    sendJson: (json) => post(`{"query":${JSON.stringify(query)},"variables":${json}}`),
  }
}

const targets: readonly Target[] = [...listRoutes(Object.values(operations)).map(restTarget), ...graphqlTargets()]

const length = fc.constantFrom(1, 0.5, 0.1).map((share) => Math.floor(share * mebibyte * 0.98))
const unit = fc.constantFrom(...hostileUnits)

/** The paths of every text in an input, and of the texts that can be long. */
const everyField = targets.flatMap((target) => textFields(target.shape).map((textField) => ({ target, textField })))
const longTextFields = everyField.filter(({ target, textField: { path, max } }) =>
  max === undefined
    ? /GraphQL (?:generate|analyze)/.test(target.name) && /prompt|text/.test(String(path.at(-1)))
    : max > 10_000,
)

/** An input that is valid except for a text at one path. */
const withText = fc
  .record({
    at: fc.oneof(fc.constantFrom(...everyField), fc.constantFrom(...longTextFields)),
    prefix: fc.constantFrom(...hostilePrefixes),
    unit,
    length,
    isAllowed: fc.boolean(),
    model: fc.nat(1),
  })
  .map(({ at: { target, textField }, prefix, unit: part, length: bytes, isAllowed, model }) => {
    const { path, max } = textField
    const units = Math.floor((bytes / Buffer.byteLength(part)) * part.length)
    const most = isAllowed ? (max ?? (target.name.includes('raphQL') ? 100_000 : units)) : units
    const text = repeated(part, Math.min(most, units), isAllowed ? prefix : '')
    const input = inputWith(target.shape, usualInput(target.name, model), path, text)
    const shown = `${path.join('.')} = ${JSON.stringify(prefix + part)} × ${text.length}`
    return { title: `${target.name} ${shown} by ${model}`, ...target.send(input) }
  })

function usualInput(name: string, model: number): Readonly<Record<string, unknown>> {
  const [operation] = Object.keys(models).filter((one) => isNamed(name, one))
  const chosen = operation ? models[operation]![model] : 'scribe'
  const tasks = name.startsWith('GraphQL') ? allTasks.map((task) => task.toUpperCase()) : allTasks
  return { ...usualValues, ...(operation && { model: chosen }), ...(operation === 'analyze' && { tasks }) }
}

function isNamed(name: string, operation: string): boolean {
  const path = {
    generate: 'POST /generate',
    generateImage: 'POST /generate/image',
    analyze: 'POST /analyze',
    embed: 'POST /embeddings',
  }[operation]
  return name === path || name === `GraphQL ${operation}`
}

const filled = (part: (index: number) => string, around: string) => {
  const [open = '', close = ''] = around.split('…')
  const parts: string[] = []
  let size = 0
  for (let index = 0; size < mebibyte * 0.95; index++) {
    const next = part(index)
    parts.push(next)
    size += next.length + 1
  }
  return open + parts.join(',') + close
}
const nested = (open: string, close: string, inner = '1') => {
  const levels = Math.floor((mebibyte * 0.95) / (open.length + close.length))
  return open.repeat(levels) + inner + close.repeat(levels)
}

/** JSON of 1 MiB that is expensive to parse, to walk, or to validate. */
const hostileJson: Readonly<Record<string, () => string>> = {
  'nested arrays': () => nested('[', ']'),
  'nested objects': () => nested('{"a":', '}'),
  'many unknown keys': () => filled((index) => `"email${index}":1`, '{…}'),
  'many short keys': () => filled((index) => `"${index.toString(36)}":1`, '{…}'),
  'one key of 1 MB': () => `{${JSON.stringify('x'.repeat(1_000_000))}:1}`,
  'many nested keys': () => `{"origin":${filled((index) => `"k${index}":1`, '{…}')}}`,
  'many entries': () => `{"metadata":${filled((index) => `"k${index}":1`, '{…}')}}`,
  'many empty parcels': () => `{"parcels":${filled(() => '{}', '[…]')}}`,
  'many parcels with unknown keys': () => `{"parcels":${filled((index) => `{"k${index}":1}`, '[…]')}}`,
  'many tasks': () => `{"text":"x","tasks":${filled(() => '"sentiment"', '[…]')}}`,
  'many numbers as tasks': () => `{"text":"x","tasks":${filled(() => '1', '[…]')}}`,
  'many stops': () => `{"prompt":"x","model":"scribe","stop":${filled(() => '1', '[…]')}}`,
  'many scopes': () => `{"name":"x","scopes":${filled(() => '"x"', '[…]')}}`,
  'an array instead of an object': () => filled(() => '{}', '[…]'),
  'an ill-typed field': () => `{"email":${filled(() => '[]', '[…]')},"prompt":${'[1]'}}`,
  escapes: () => `{"email":"${'\\u0301'.repeat(160_000)}"}`,
  'just under the limit of tokens, keys': () =>
    `{${Array.from({ length: 24_900 }, (_, index) => `"email${index}":1`).join(',')}}`,
  'just under the limit of tokens, objects': () =>
    `{"parcels":[${Array.from({ length: 16_000 }, (_, index) => `{"k${index}":1}`).join(',')}]}`,
  'just under the limit of tokens, lists': () => `{"tasks":[${'[],'.repeat(33_000)}1]}`,
  'just under the limit of tokens, texts': () => `{"stop":[${'"x",'.repeat(49_000)}1]}`,
  'just under the limit of tokens, in variables': () =>
    `{"input":{${Array.from({ length: 24_900 }, (_, index) => `"email${index}":1`).join(',')}}}`,
}
const withJson = fc
  .record({ target: fc.constantFrom(...targets), name: fc.constantFrom(...Object.keys(hostileJson)) })
  .map(({ target, name }) => ({ title: `${target.name} with ${name}`, ...target.sendJson(hostileJson[name]!()) }))

/** GraphQL documents. */
const hostileDocuments: Readonly<Record<string, (length: number) => string>> = {
  'a long name': (size) => `query ${'A'.repeat(size)} { models { id } }`,
  'nested selections': (size) => `${'{a'.repeat(size / 3)}${'}'.repeat(size / 3)}`,
  'nested lists': (size) => `{ a(b: ${'['.repeat(size / 2)}${']'.repeat(size / 2)}) }`,
  'many fields': (size) => `{ ${'a '.repeat(size / 2)} }`,
  'many aliases': (size) =>
    `{ ${Array.from({ length: size / 20 }, (_, index) => `a${index}: models { id }`).join(' ')} }`,
  'many directives': (size) => `{ models ${'@a '.repeat(size / 3)} { id } }`,
  'many variables': (size) =>
    `query (${Array.from({ length: size / 12 }, (_, index) => `$v${index}: ID`).join()}) { models { id } }`,
  'many fragments': (size) =>
    `{ ...f0 } ${Array.from({ length: size / 40 }, (_, index) => `fragment f${index} on Query { ...f${index + 1} }`).join(' ')}`,
  'a comment': (size) => `#${'x'.repeat(size)}\n{ models { id } }`,
  'a block string': (size) => `{ model(id: """${' \n'.repeat(size / 2)}""") { id } }`,
  'a string': (size) => `{ model(id: "${'\\n'.repeat(size / 2)}") { id } }`,
  commas: (size) => `{ models${','.repeat(size)} { id } }`,
  numbers: (size) => `{ model(id: ${'9'.repeat(size)}) { id } }`,
}
const withDocument = fc
  .record({ name: fc.constantFrom(...Object.keys(hostileDocuments)), length })
  .map(({ name, length: size }) => ({
    title: `GraphQL document with ${name}, ${size}`,
    method: 'POST',
    path: '/graphql',
    body: JSON.stringify({ query: hostileDocuments[name]!(size * 0.9) }),
  }))

const headerNames = [
  'accept',
  'authorization',
  'content-type',
  'cookie',
  'host',
  'idempotency-key',
  'if-match',
  'if-none-match',
  'origin',
  'x-forwarded-for',
  'access-control-request-headers',
]
const headerPrefixes: Readonly<Record<string, string>> = {
  authorization: 'Bearer ',
  'content-type': 'application/json; charset=',
  cookie: '__Host-fairlead_session=',
  'if-match': '"',
}

/** A header of the maximum length that Node accepts. */
const withHeader = fc
  .record({
    target: fc.constantFrom(...targets),
    name: fc.constantFrom(...headerNames),
    unit: fc.constantFrom(
      ...hostileUnits.filter((text) => /^[ -~]+$/.test(text)),
      ', ',
      '"", ',
      'W/"1",',
      ';q=0.',
      '; a=',
    ),
    isPrefixed: fc.boolean(),
    end: fc.constantFrom('', 'x', '"', ';'),
  })
  .map(({ target, name, unit: part, isPrefixed, end }) => {
    const prefix = isPrefixed ? (headerPrefixes[name] ?? '') : ''
    return {
      title: `${target.name} with ${name}: ${prefix}${JSON.stringify(part)} × …${end}`,
      ...target.send(inputWith(target.shape, usualInput(target.name, 0), undefined, undefined)),
      headers: { [name]: repeated(part, 13_000, `${prefix}x`) + end },
    }
  })

/** Requests of at most 1 MiB for every operation of REST and GraphQL, with and without a key. */
export const hostileRequests: fc.Arbitrary<HostileRequest> = fc
  .record({
    request: fc.oneof(
      { weight: 6, arbitrary: withText },
      { weight: 3, arbitrary: withJson },
      { weight: 1, arbitrary: withDocument },
      { weight: 1, arbitrary: withHeader },
    ),
    hasKey: fc.oneof({ weight: 3, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
  })
  .map(({ request, hasKey }) => {
    const title = `${request.title}${hasKey ? '' : ', without a key'}`
    // A report of a failure shows this instead of a body of 1 MiB.
    return { headers: {}, ...request, title, hasKey, [fc.toStringMethod]: () => title }
  })
