import type { Credentials } from '@fairlead/core'
import type { FairleadCore } from '@fairlead/core/adapter'
import { operations } from '@fairlead/testing/workspace'
import type { Stores } from './stores.ts'
import { fakePainter, reader, scripted, shipmentInput, testCore } from '@fairlead/testing'
import { afterAll, describe, expect, test } from 'vitest'
import * as z from 'zod'
import { postgresStores } from './postgres/postgres-stores.ts'
import { sqliteStores } from './sqlite/sqlite-stores.ts'
import { findPostgres } from './testing/find-postgres.ts'
import { createTestDatabase } from './testing/test-database.ts'

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
type Operation = (typeof operations)[keyof typeof operations]

const openings = [`'`, `"`, '`', `')`, `";`, `\\'`, `%'`, `''`, `x'--`, `\u02bc`]
const attacks = [
  ' or 1=1',
  ' or true',
  ' union select token_hash, email from api_keys',
  ' union all select null, null, null',
  '; drop table users',
  '; delete from shipments',
  `; update users set role = 'admin'`,
  ' and 1 = (select count(*) from users)',
  ' || (select password_hash from users limit 1)',
  `; attach database 'x' as x`,
  '; pragma writable_schema = 1',
  '; copy users to program $$true$$',
  ' order by 99',
  ' limit 1 offset 1',
  ' returning *',
  ` like '%'`,
  ' in (select id from users)',
  ' is not null',
  ' having 1=1',
  ' group by role',
  ' collate nocase',
  '::regclass',
  ` between 'a' and 'z'`,
  ' = any (array(select id from users))',
  ' where exists (select 1)',
]
const endings = [' --', ' /*']
/** Five hundred ways of saying more than a value. */
const allPayloads = openings.flatMap((opening) =>
  attacks.flatMap((attack) => endings.map((ending) => opening + attack + ending)),
)

/** Text that only its owner may read. */
const canary = 'CANARY-of-the-bystander'

/**
 * A valid input of each operation that must have fields at all: different values each time, so that no two inputs
 * collide.
 */
const inputs: { readonly [name: string]: (own: string) => Json } = {
  generate: () => ({ model: 'any', prompt: 'x' }),
  generateImage: () => ({ model: 'picture', prompt: 'x' }),
  analyze: () => ({ text: 'x', tasks: ['sentiment'] }),
  model: () => ({ id: 'any' }),
  createShipment: (own) => shipmentInput(own),
  updateShipment: (own) => ({ ...shipmentInput(own), id: 'shp_1' }),
  signup: (own) => ({ email: `${own}@example.com`, password: 'a new password', name: 'New' }),
  login: (own) => ({ email: `${own}@example.com`, password: 'a new password' }),
  createApiKey: () => ({ name: 'robot' }),
  createUser: (own) => ({ email: `${own}@example.com`, password: 'a new password', name: 'New' }),
  updateUser: (own) => ({ id: 'usr_1', email: `${own}@example.com`, name: 'New' }),
}

/** Where strings may stand in an input, such as `origin.city`, whatever else an input may hold. */
function stringFields(schema: z.core.JSONSchema.JSONSchema, at: readonly (string | number)[] = []) {
  const found: (readonly (string | number)[])[] = []
  const visit = (part: z.core.JSONSchema._JSONSchema | undefined, path: readonly (string | number)[]) => {
    if (typeof part !== 'object') return
    if (part.type === 'string') found.push(path)
    for (const option of part.anyOf ?? part.oneOf ?? []) visit(option, path)
    for (const [name, value] of Object.entries(part.properties ?? {})) visit(value, [...path, name])
    if (part.items && !Array.isArray(part.items)) visit(part.items, [...path, 0])
    if (part.propertyNames && part.additionalProperties) visit(part.additionalProperties, [...path, 'key'])
  }
  visit(schema, at)
  return found
}

/** The input with one of its fields replaced. */
function withField(input: Json, [name, ...rest]: readonly (string | number)[], value: string): Json {
  if (name === undefined) return value
  if (typeof name === 'number') return [withField(Array.isArray(input) ? (input[0] ?? null) : null, rest, value)]
  const fields = typeof input === 'object' && input !== null && !Array.isArray(input) ? input : {}
  return { ...fields, [name]: withField(fields[name] ?? null, rest, value) }
}

function inputSchema(operation: Operation): z.core.JSONSchema.JSONSchema {
  return z.toJSONSchema(operation.input, { io: 'input', unrepresentable: 'any' })
}

const harmless = new Set([
  'INVALID_REQUEST',
  'UNAUTHORIZED',
  'FORBIDDEN',
  'NOT_FOUND',
  'CONFLICT',
  'RATE_LIMIT_EXCEEDED',
  'PRECONDITION_FAILED',
])

/** So many that a database on a busy machine serves the last in time. */
const atOnce = 10

async function inject(core: FairleadCore, credentials: Credentials, payloads: readonly string[], operation: Operation) {
  const faults: unknown[] = []
  for (const field of stringFields(inputSchema(operation))) {
    const attack = (payload: string, n: number) => {
      const own = `${operation.name}-${field.join('-')}-${n}`
      const input = withField(inputs[operation.name]?.(own) ?? {}, field, payload)
      // A new address each time: a throttled request never reaches the database.
      return core.run(operation, credentials, input, { address: `2001:db8:${n.toString(16)}::1` })
    }
    const replies: Awaited<ReturnType<typeof attack>>[] = []
    for (let at = 0; at < payloads.length; at += atOnce) {
      replies.push(...(await Promise.all(payloads.slice(at, at + atOnce).map((payload, n) => attack(payload, at + n)))))
    }
    const bad = replies.find((reply) =>
      reply.success ? JSON.stringify(reply).includes(canary) : !harmless.has(reply.error.code),
    )
    if (bad) faults.push({ operation: operation.name, field, bad })
  }
  return faults
}

/** @param open gives empty stores of the kind that is attacked */
function injectionSuite(name: string, payloads: readonly string[], open: () => Promise<Stores>): void {
  test(`SQL injection into any text of any operation reads and changes nothing on ${name}`, async () => {
    const world = await testCore({
      stores: await open(),
      providers: [
        scripted('calm', 'hello'),
        fakePainter('hand'),
        reader('eyes', { sentiment: { score: 0, label: 'neutral' } }),
      ],
    })
    const { core, addCaller } = world
    const bystander = await addCaller({ user: { name: canary } })
    const kept = await core.run(operations.createShipment, bystander.credentials, {
      ...shipmentInput(),
      notes: canary,
    })
    const attacker = await addCaller({ user: { role: 'member', tier: 'enterprise', quotaLimit: null } })
    for (const operation of Object.values(operations)) {
      expect(await inject(core, attacker.credentials, payloads, operation)).toEqual([])
    }
    const tokens = await Promise.all(
      payloads.map((token) => core.run(operations.models, { kind: 'bearer', token }, {})),
    )
    expect(tokens.every((reply) => !reply.success && reply.error.code === 'UNAUTHORIZED')).toBe(true)

    if (!kept.success) throw new Error('the shipment was not kept')
    const after = await core.run(operations.shipment, bystander.credentials, { id: kept.data.id })
    expect(after).toMatchObject({ success: true, data: kept.data })
    const self = await core.run(operations.user, attacker.credentials, { id: attacker.userId })
    expect(self).toMatchObject({ success: true, data: { role: 'member', status: 'active' } })
    await core.close()
  })
}

const isFuzz = process.env['FUZZ_RUNS'] !== undefined
const server = await findPostgres()
const database = server ? await createTestDatabase(server) : undefined
afterAll(() => database?.drop())

describe('injection', () => {
  // `npm run fuzz` sends all payloads. A third still has every opening, attack and ending.
  const sent = isFuzz ? allPayloads : allPayloads.filter((_, n) => n % 3 === 0)
  injectionSuite('SQLite', sent, () => sqliteStores({ path: ':memory:' }))

  describe.skipIf(!database)('on a server', () => {
    // Each statement is a round trip: `npm run fuzz` sends a fifth of the payloads, other runs fewer.
    const every = isFuzz ? 5 : 23
    const some = allPayloads.filter((_, n) => n % every === 0)
    injectionSuite('PostgreSQL', some, () => postgresStores({ url: database!.url, poolSize: 4 }))
  })
})
