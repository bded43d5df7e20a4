import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { accounts } from '@fairlead/accounts'
import { credentialsReader } from '../runtime/access.ts'
import { createFairlead } from './create-fairlead.ts'
import { action, defineFeature, operationsFor, type ServicesWith } from '../gateway/own-features.ts'
import { shipments } from '@fairlead/shipments'
import { scripted, addTestCaller, testCore, testClock, testStores } from '@fairlead/testing'
import { FairleadError } from '../runtime/errors.ts'
import { memoryStores } from './memory-stores.ts'
import { MemoryTable } from '../runtime/stores/memory-table.ts'
import { operations, silentLog } from '@fairlead/testing/workspace'

const shout = action({
  name: 'shout',
  summary: 'Generates a text in capital letters.',
  access: { scope: 'generate' },
  metered: true,
  input: z.strictObject({ prompt: z.string() }),
  output: z.object({ text: z.string() }),
  prepare: ({ text }, call, { prompt }) => text.prepare(call, { model: 'any', prompt }),
  run: async ({ text }, call, { plan }) => ({
    text: (await text.generate(call, plan)).content.toUpperCase(),
  }),
})
const loud = defineFeature({ name: 'loud', operations: { shout } })
const providers = [scripted('calm', 'hello')]

describe('createFairlead with features', () => {
  test('createFairlead with features has the operations of the gateway alone without any', () => {
    const fairlead = createFairlead({ providers })
    expect(fairlead.core.operations.map(({ name }) => name)).toEqual([
      'generate',
      'countTokens',
      'generateImage',
      'embed',
      'analyze',
      'models',
      'model',
      'analyzers',
      'providers',
    ])
    expect(fairlead).not.toHaveProperty('users')
  })

  test('createFairlead with features groups the methods of a feature by noun', async () => {
    const fairlead = createFairlead({ providers, features: [accounts(), shipments()] })
    expect(await fairlead.shipments.list()).toEqual([])
    expect(await fairlead.users.list()).toEqual([])
    expect((await fairlead.models.list()).map(({ id }) => id)).toEqual(['any'])
  })

  test('createFairlead with features makes an operation of one’s own a method', async () => {
    const fairlead = createFairlead({ providers, features: [loud] })
    expect(await fairlead.shout({ prompt: 'greet me' })).toEqual({ text: 'HELLO' })
  })

  test('createFairlead with features charges, authorizes and replays an operation of one’s own like any other', async () => {
    const clock = testClock()
    const stores = testStores({ clock })
    const fairlead = createFairlead({ providers, features: [accounts(), loud], stores, testing: { clock } })
    const { credentials } = await addTestCaller(stores, clock)
    const narrow = await addTestCaller(stores, clock, { key: { scopes: ['models'] } })
    const input = { prompt: 'greet me' }
    expect(await fairlead.core.run(shout, credentials, input, { idempotencyKey: 'k' })).toMatchObject({
      data: { text: 'HELLO' },
      meta: { provider: 'calm', attempts: 1 },
      limits: { remaining: 999 },
    })
    expect(await fairlead.core.run(shout, credentials, input, { idempotencyKey: 'k' })).toMatchObject({
      replayed: true,
    })
    expect(await fairlead.core.run(shout, narrow.credentials, input)).toMatchObject({ error: { code: 'FORBIDDEN' } })
  })

  test('createFairlead with features rejects a feature whose operation has the name of another', () => {
    const clash = defineFeature({ name: 'clash', operations: { other: shout } })
    expect(() => createFairlead({ providers, features: [loud, clash] })).toThrow(
      'Two operations are named "shout". Rename one of them.',
    )
  })

  test('createFairlead with features rejects two features of one name', () => {
    const other = defineFeature({ name: 'loud', operations: {} })
    expect(() => createFairlead({ providers, features: [loud, other] })).toThrow(
      'Two features are named "loud". Rename one of them.',
    )
  })

  test('createFairlead with features rejects a feature that takes the name of the core', () => {
    const clash = defineFeature({ name: 'clash', operations: { core: shout } })
    expect(() => createFairlead({ providers, features: [clash] })).toThrow(
      'The feature "clash" cannot add "core": that name is taken.',
    )
  })
})

/** The names of a phone book, which a feature keeps in its own table. */
interface NameStore {
  add(name: string): Promise<void>
  all(): Promise<string[]>
  purge(): Promise<number>
}
const book = operationsFor<ServicesWith<{ readonly names: NameStore }, { readonly greeting: string }>>()

const addName = book.write({
  name: 'addName',
  summary: 'Adds a name.',
  access: { scope: 'names' },
  metered: true,
  input: z.strictObject({ name: z.string() }),
  output: z.object({ greeting: z.string() }),
  prepare: ({ greeting }, _call, { name }) => ({ greeting, name }),
  async apply(tx, _call, { greeting, name }) {
    await tx.names.add(name)
    if (name === 'nobody') throw new FairleadError('CONFLICT', 'That is no name.')
    return { greeting: `${greeting} ${name}` }
  },
})

const listNames = book.read({
  name: 'names',
  summary: 'Lists names.',
  access: { scope: 'names' },
  metered: false,
  input: z.strictObject({}),
  output: z.array(z.string()),
  run: ({ stores }) => stores.read((view) => view.names.all()),
})

function phoneBook(happened: string[] = []) {
  return book.defineFeature({
    name: 'book',
    operations: { names: { add: addName, list: listNames } },
    scopes: { names: 'Read and add names.' },
    memoryTables({ undo }) {
      const names = new MemoryTable<string>(undo)
      return {
        names: {
          add: async (name) => void names.set(name, name),
          all: async () => [...names.values()],
          async purge() {
            const { size } = names
            for (const name of names.keys()) names.delete(name)
            return size
          },
        },
      }
    },
    setUp: () => ({
      services: { greeting: 'Hello' },
      start: async () => void happened.push('start'),
      checkWrites: () => Promise.reject(new Error('the book is full')),
      removeExpired: ({ inBatches }) => inBatches((tx) => tx.names.purge()),
      close: () => void happened.push('close'),
    }),
  })
}

describe('a feature of one’s own', () => {
  test('a feature of one’s own writes its table in the transaction of its operation', async () => {
    const fairlead = createFairlead({ providers, features: [phoneBook()] })
    expect(await fairlead.names.add({ name: 'Ada' })).toEqual({ greeting: 'Hello Ada' })
    await expect(fairlead.names.add({ name: 'nobody' })).rejects.toThrow('That is no name.')
    expect(await fairlead.names.list()).toEqual(['Ada'])
  })

  test('a feature of one’s own whose tables are only in given stores requires them at once', () => {
    const stored = book.defineFeature({ ...phoneBook(), memoryTables: undefined as never, tables: ['names'] } as never)
    expect(() => createFairlead({ providers, features: [stored] })).toThrow(
      'stores: are required by the feature "book", whose tables (names) are not in memory',
    )
  })

  test('a feature of one’s own does not start on stores that lack its table', async () => {
    const stored = book.defineFeature({ ...phoneBook(), memoryTables: undefined as never, tables: ['names'] } as never)
    const { core } = createFairlead({ providers, features: [stored], stores: memoryStores() as never })
    await expect(core.start()).rejects.toThrow(
      'stores: lack the table "names" of the feature "book"; open them with its tables',
    )
  })

  test('a feature of one’s own adds its scope to those of keys and sessions', async () => {
    const { core, caller } = await testCore({ features: [phoneBook()] })
    const created = await core.run(operations.createApiKey, caller, { name: 'reader', scopes: ['names'] })
    expect(created).toMatchObject({ data: { scopes: ['names'] } })
    expect(await core.run(operations.createApiKey, caller, { name: 'x', scopes: ['name'] })).toMatchObject({
      error: { code: 'INVALID_REQUEST', details: { field: 'scopes[0]' } },
    })
  })

  test('a feature of one’s own charges the caller of a test core for its operations', async () => {
    const { core, stores, caller, keyId } = await testCore({ features: [phoneBook()] })
    expect(await core.run(addName, caller, { name: 'Ada' })).toMatchObject({ data: { greeting: 'Hello Ada' } })
    expect(await stores.read((view) => view.names.all())).toEqual(['Ada'])
    expect(await stores.read((view) => view.counters.peek(keyId))).toMatchObject({ used: 1 })
  })

  test('a feature of one’s own starts and closes with the core', async () => {
    const happened: string[] = []
    const fairlead = createFairlead({ providers, features: [phoneBook(happened)] })
    await fairlead.core.start()
    await fairlead.core.close()
    expect(happened).toEqual(['start', 'close'])
  })

  test('a feature of one’s own keeps a core from being ready while it cannot write', async () => {
    const fairlead = createFairlead({ providers, features: [phoneBook()], log: silentLog })
    await expect(fairlead.core.checkWrites()).rejects.toThrow('the book is full')
  })

  test('a feature of one’s own removes its expired records', async () => {
    const clock = testClock()
    const fairlead = createFairlead({ providers, features: [phoneBook()], testing: { clock } })
    await fairlead.names.add({ name: 'Ada' })
    fairlead.core.startJobs()
    clock.advance(60_000)
    await expect.poll(() => fairlead.names.list()).toEqual([])
    await fairlead.core.close()
  })

  test('a feature of one’s own must have the scope that its operations require', () => {
    const { scopes: _scopes, ...others } = phoneBook()
    expect(() => createFairlead({ providers, features: [others] })).toThrow(
      'The operation "addName" requires the scope "names", which no feature has. Scopes: generate, analyze, models.',
    )
  })

  test('a feature of one’s own is a type error without the services that its operations take', () => {
    const wrong = () => [
      // @ts-expect-error -- Property 'greeting' is missing in type '{}'
      book.defineFeature({ name: 'book', operations: { addName }, setUp: () => ({ services: {} }) }),
      // @ts-expect-error -- the operation takes services that a feature of the gateway alone lacks
      defineFeature({ name: 'book', operations: { addName } }),
      // @ts-expect-error -- stores without the table `names`
      createFairlead({ providers, features: [phoneBook()], stores: testStores() }),
    ]
    expect(wrong).not.toThrow()
  })
})

describe('an adapter over a core without accounts', () => {
  test('an adapter over a core without accounts refuses to start without `authenticate` or `anonymous`', () => {
    expect(() => credentialsReader({ hasAccounts: false }, {})).toThrow(/^This core has no accounts\./)
  })

  test('an adapter over a core without accounts lets anyone call as a member with `anonymous: true`', async () => {
    const read = credentialsReader({ hasAccounts: false }, { anonymous: true })
    expect(await read(undefined)).toEqual({ kind: 'embedded', role: 'member' })
    const fairlead = createFairlead({ providers })
    const listProviders = fairlead.core.operations.find(({ name }) => name === 'providers')
    expect(await fairlead.core.run(listProviders!, await read(undefined), {})).toMatchObject({
      error: { code: 'FORBIDDEN' },
    })
  })

  test('an adapter over a core without accounts asks `authenticate` for each bearer token', async () => {
    const read = credentialsReader({ hasAccounts: false }, { authenticate: (token) => token === 'good' })
    expect(await read('Bearer good')).toEqual({ kind: 'embedded', role: 'member' })
    expect(await read('Bearer bad')).toEqual({ kind: 'none' })
  })
})
