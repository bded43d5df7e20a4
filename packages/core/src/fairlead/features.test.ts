import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { accounts } from '../accounts/accounts.ts'
import { credentialsReader } from '../runtime/access.ts'
import { createFairlead } from './create-fairlead.ts'
import { action, defineFeature } from '../gateway/own-features.ts'
import { memoryStores } from './memory-stores.ts'
import { shipments } from '../shipments/shipments.ts'
import { scripted } from '../fakes/fake-providers.ts'
import { addTestCaller } from '../fakes/test-core.ts'
import { testClock } from '../fakes/test-clock.ts'

const shout = action({
  name: 'shout',
  summary: 'Generates a text in capital letters.',
  access: { scope: 'generate' },
  metered: true,
  input: z.strictObject({ prompt: z.string() }),
  output: z.object({ text: z.string() }),
  prepare: ({ text }, call, { prompt }) => text.prepare(call, { model: 'any', prompt }),
  run: async ({ text }, call, plan) => ({
    text: (await text.generate(call, plan)).content.toUpperCase(),
  }),
})
const loud = defineFeature({ name: 'loud', operations: { shout } })
const providers = [scripted('calm', 'hello')]

describe('createFairlead with features', () => {
  test('has the operations of the gateway alone without any', () => {
    const fairlead = createFairlead({ providers })
    expect(fairlead.operations.map(({ name }) => name)).toEqual([
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

  test('groups the methods of a feature by noun', async () => {
    const fairlead = createFairlead({ providers, features: [accounts(), shipments()] })
    expect(await fairlead.shipments.list()).toEqual([])
    expect(await fairlead.users.list()).toEqual([])
    expect((await fairlead.models.list()).map(({ id }) => id)).toEqual(['any'])
  })

  test('makes an operation of one’s own a method', async () => {
    const fairlead = createFairlead({ providers, features: [loud] })
    expect(await fairlead.shout({ prompt: 'greet me' })).toEqual({ text: 'HELLO' })
  })

  test('charges, authorizes and replays an operation of one’s own like any other', async () => {
    const clock = testClock()
    const stores = memoryStores({ clock })
    const fairlead = createFairlead({ providers, features: [accounts(), loud], stores, clock })
    const { credentials } = await addTestCaller(stores, clock)
    const narrow = await addTestCaller(stores, clock, { key: { scopes: ['models'] } })
    const input = { prompt: 'greet me' }
    expect(await fairlead.run(shout, credentials, input, { idempotencyKey: 'k' })).toMatchObject({
      data: { text: 'HELLO' },
      meta: { provider: 'calm', attempts: 1 },
      limits: { remaining: 999 },
    })
    expect(await fairlead.run(shout, credentials, input, { idempotencyKey: 'k' })).toMatchObject({ replayed: true })
    expect(await fairlead.run(shout, narrow.credentials, input)).toMatchObject({ error: { code: 'FORBIDDEN' } })
  })

  test('rejects a feature whose operation has the name of another', () => {
    const clash = defineFeature({ name: 'clash', operations: { other: shout } })
    expect(() => createFairlead({ providers, features: [loud, clash] })).toThrow(
      'Two operations are named "shout". Rename one of them.',
    )
  })

  test('rejects two features of one name', () => {
    const other = defineFeature({ name: 'loud', operations: {} })
    expect(() => createFairlead({ providers, features: [loud, other] })).toThrow(
      'Two features are named "loud". Rename one of them.',
    )
  })

  test('rejects a feature that takes the name of a method of the core', () => {
    const clash = defineFeature({ name: 'clash', operations: { close: shout } })
    expect(() => createFairlead({ providers, features: [clash] })).toThrow(
      'The feature "clash" cannot add "close": that name is taken.',
    )
  })
})

describe('an adapter over a core without accounts', () => {
  test('refuses to start without `authenticate` or `anonymous`', () => {
    expect(() => credentialsReader({ hasAccounts: false }, {})).toThrow(/^This core has no accounts\./)
  })

  test('lets anyone call as a member with `anonymous: true`', async () => {
    const read = credentialsReader({ hasAccounts: false }, { anonymous: true })
    expect(await read(undefined)).toEqual({ kind: 'embedded', role: 'member' })
    const fairlead = createFairlead({ providers })
    const listProviders = fairlead.operations.find(({ name }) => name === 'providers')
    expect(await fairlead.run(listProviders!, await read(undefined), {})).toMatchObject({
      error: { code: 'FORBIDDEN' },
    })
  })

  test('asks `authenticate` for each bearer token', async () => {
    const read = credentialsReader({ hasAccounts: false }, { authenticate: (token) => token === 'good' })
    expect(await read('Bearer good')).toEqual({ kind: 'embedded', role: 'member' })
    expect(await read('Bearer bad')).toEqual({ kind: 'none' })
  })
})
