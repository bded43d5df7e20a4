import * as fc from 'fast-check'
import { eventsIn } from '@fairlead/testing'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { anyCharacter } from '../../core/src/testing/any-character.ts'
import { type Reply, serve } from './testing/serve.ts'

const asked = process.env['FUZZ_RUNS']
/** 300 bodies per endpoint, or the number passed to `npm run fuzz -- <cases>`. */
const runs = asked === undefined ? { numRuns: 300 } : {}

/** The fields of each endpoint, with valid, almost valid, and invalid values. */
const text = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 40 }),
  fc.constantFrom(
    '',
    ' ',
    'any',
    'picture',
    'broken',
    'eyes',
    '\0',
    '\ud800',
    '../x',
    '<x>',
    "' or 1=1 --",
    'x'.repeat(201),
  ),
)
const number = fc.oneof(
  fc.double(),
  fc.integer(),
  fc.constantFrom(-0, 0.1, 1, 2, -2, 200, 201, 2 ** 53, -(2 ** 53), 1e308, Number.MIN_VALUE),
)
const anything = fc.oneof(text, number, fc.jsonValue(), fc.constantFrom(null, true, false, [], {}))
const entry = fc.oneof({ weight: 5, arbitrary: fc.constantFrom('sentiment', 'entities', 'keywords') }, anything)

/** Mostly valid values, so that many bodies pass the first check and some pass all. */
function near(likely: fc.Arbitrary<unknown>) {
  return fc.oneof({ weight: 15, arbitrary: likely }, { weight: 1, arbitrary: anything })
}

const words = fc.oneof({ weight: 4, arbitrary: fc.lorem() }, { weight: 1, arbitrary: text })

const endpoints = {
  '/generate': fc.record(
    {
      prompt: near(words),
      model: near(fc.constantFrom('any', 'calm/any', 'broken')),
      max_tokens: near(fc.integer({ min: 0, max: 220 })),
      temperature: near(fc.double({ min: -0.1, max: 2.1, noNaN: true })),
      top_p: near(fc.double({ min: -0.1, max: 1.1, noNaN: true })),
      frequency_penalty: near(fc.double({ min: -2.1, max: 2.1, noNaN: true })),
      presence_penalty: near(fc.double({ min: -2.1, max: 2.1, noNaN: true })),
      seed: near(fc.integer()),
      stop: near(fc.array(words, { maxLength: 5 })),
      stream: near(fc.boolean()),
    },
    { requiredKeys: ['prompt', 'model'] },
  ),
  '/v1/generate/image': fc.record(
    {
      prompt: near(words),
      model: near(fc.constantFrom('picture', 'brush/picture', 'broken-picture')),
      size: near(fc.constantFrom('1024x1024', '256x256', '256x256', '0x0')),
      quality: near(fc.constantFrom('standard', 'hd')),
      style: near(fc.constantFrom('natural', 'vivid')),
      seed: near(fc.integer()),
    },
    { requiredKeys: ['prompt', 'model'] },
  ),
  '/api/v1/analyze': fc.record(
    {
      text: near(words),
      tasks: near(fc.oneof(fc.subarray(['sentiment', 'entities', 'keywords']), fc.array(entry, { maxLength: 4 }))),
      language: near(fc.constantFrom('en', 'en', 'de', 'EN')),
      model: near(fc.constantFrom('eyes', 'reader/eyes')),
    },
    { requiredKeys: ['text', 'tasks'] },
  ),
} as const

const statuses = new Set([200, 400, 401, 403, 404, 405, 409, 412, 413, 415, 422, 429])

const meta = z.looseObject({ request_id: z.string().regex(/^req_\d+$/), timestamp: z.iso.datetime() })
const issueShape = { field: z.string().nullable(), issue: z.string().min(1).nullable() }
const success = z.looseObject({ success: z.literal(true), data: z.any(), error: z.undefined().optional(), meta })
const failure = z.strictObject({
  success: z.literal(false),
  error: z.strictObject({
    code: z.string().regex(/^[A-Z_]+$/),
    message: z.string().min(1),
    details: z
      .looseObject({ ...issueShape, issues: z.array(z.strictObject(issueShape)) })
      .refine(({ field, issue, issues: [first] }) => !first || (first.field === field && first.issue === issue)),
  }),
  meta,
})

type Served = Awaited<ReturnType<typeof serve>>

/** How a response differs from the interface document; undefined if it is documented. */
function findViolation({ status, headers, text: sent, json }: Reply): string | undefined {
  // Only the failing provider may cause a 5xx: its error, and later its open circuit.
  const ofProvider = (status === 502 || status === 503) && json.error.details.provider === 'down'
  if (!statuses.has(status) && !ofProvider) return `the status ${status}`
  for (const name of ['x-request-id', 'cache-control', 'ratelimit', 'ratelimit-policy', 'x-ratelimit-limit']) {
    if (!headers.has(name)) return `no ${name}`
  }
  if (headers.get('content-type')?.startsWith('text/event-stream')) {
    return /^(done|error)$/.test(eventsIn(sent).at(-1)?.event ?? '') ? undefined : `the stream ${sent}`
  }
  return (status === 200 ? success : failure).safeParse(json).error?.message
}

async function expectDocumented({ ask, logged }: Served, method: string, path: string, body: unknown) {
  expect(findViolation(await ask(method, path, { body }))).toBeUndefined()
  expect(logged.filter(({ level }) => level === 'error')).toEqual([])
}

/** Serves a user whose quota is never used up. */
async function serveWithoutQuota(): Promise<Served> {
  const service = await serve()
  const { credentials } = await service.addCaller({ user: { tier: 'enterprise', quotaLimit: 1_000_000_000 } })
  const authorization = `Bearer ${credentials.token}`
  return {
    ...service,
    ask: (method, path, options = {}) =>
      service.ask(method, path, { ...options, headers: { authorization, ...options.headers } }),
  }
}

describe('any request', () => {
  for (const [path, nearlyValid] of Object.entries(endpoints)) {
    const body = fc.oneof(
      { weight: 3, arbitrary: nearlyValid.map((value) => JSON.stringify(value)) },
      { weight: 1, arbitrary: fc.json({ maxDepth: 6 }) },
      { weight: 1, arbitrary: fc.dictionary(text, anything).map((value) => JSON.stringify(value)) },
      { weight: 1, arbitrary: fc.uint8Array({ maxLength: 60 }) },
      { weight: 1, arbitrary: nearlyValid.chain((value) => mangled(JSON.stringify(value))) },
    )

    test(`any request gets a documented response: POST ${path}`, async () => {
      const service = await serveWithoutQuota()
      await fc.assert(
        fc.asyncProperty(body, (sent) => expectDocumented(service, 'POST', path, sent)),
        runs,
      )
    })
  }

  test('any request gets a documented response: GET /models', async () => {
    const service = await serveWithoutQuota()
    const name = fc.oneof(fc.constantFrom('type', 'typ', 'id', '__proto__', 'limit'), text)
    const value = fc.oneof(fc.constantFrom('text', 'image'), text)
    const query = fc.array(fc.tuple(name, value), { maxLength: 3 }).map(written)
    await fc.assert(
      fc.asyncProperty(query, (sent) => expectDocumented(service, 'GET', `/models?${sent}`, undefined)),
      runs,
    )
  })

  test('any request gets a documented response: GET /models/{id}', async () => {
    const service = await serveWithoutQuota()
    // Clients remove dot segments and empty ones.
    const id = fc
      .oneof(fc.constantFrom('any', 'calm/any', '%'), text)
      .map(escaped)
      .filter((segment) => !/^\.{0,2}$/.test(segment))
    await fc.assert(
      fc.asyncProperty(id, (sent) => expectDocumented(service, 'GET', `/models/${sent}`, undefined)),
      runs,
    )
  })
})

/** A text with one byte removed, duplicated, or changed. */
function mangled(json: string): fc.Arbitrary<Uint8Array> {
  const bytes = Buffer.from(json)
  return fc
    .tuple(fc.nat(bytes.length - 1), fc.uint8Array({ maxLength: 3 }))
    .map(([at, instead]) => Buffer.concat([bytes.subarray(0, at), instead, bytes.subarray(at + 1)]))
}

function written(pairs: readonly (readonly [string, string])[]): string {
  return pairs.map(([name, value]) => `${escaped(name)}=${escaped(value)}`).join('&')
}

/** A lone surrogate has no percent-encoding; a URL cannot contain one. */
function escaped(value: string): string {
  return encodeURIComponent(value.toWellFormed())
}
