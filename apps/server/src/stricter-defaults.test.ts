import { testStores } from '@fairlead/testing'
import { describe, expect, test } from 'vitest'
import { readConfig } from './config.ts'
import { withStrictDefaults } from './stricter-defaults.ts'

type Environment = Readonly<Record<string, string>>

async function setup(isNew: boolean) {
  const stores = testStores()
  if (!isNew) await stores.transact((tx) => tx.settings.set('defaults', '1'))
  const warned: unknown[] = []
  const log = { error() {}, warn: (facts: object) => void warned.push('variable' in facts && facts.variable) }
  const defaults = (environment: Environment = {}) => withStrictDefaults(readConfig(environment), stores, log)
  return { defaults, warned }
}

const strict = {
  sessionDays: undefined,
  tagsFromMetadata: false,
  writtenBytesPerDay: undefined,
  imageBytes: undefined,
}
const former = {
  signup: true,
  sessionDays: Infinity,
  tagsFromMetadata: true,
  writtenBytesPerDay: Infinity,
  imageBytes: Infinity,
}
const always = [
  'FAIRLEAD_SESSION_DAYS',
  'FAIRLEAD_TAGS_FROM_METADATA',
  'FAIRLEAD_WRITTEN_BYTES_PER_DAY',
  'FAIRLEAD_RETENTION_IMAGE_BYTES',
]

describe('the defaults of a new database', () => {
  test.each<[string, Environment, boolean]>([
    ['on its default address', {}, true],
    ['behind a loopback address', { FAIRLEAD_BASE_URL: 'http://localhost:8080' }, true],
    ['on all addresses, as in the image', { HOST: '0.0.0.0' }, false],
    ['behind another address', { FAIRLEAD_BASE_URL: 'https://ai.example.com' }, false],
    ['on all addresses with FAIRLEAD_SIGNUP=on', { HOST: '0.0.0.0', FAIRLEAD_SIGNUP: 'on' }, true],
    ['with FAIRLEAD_SIGNUP=off', { FAIRLEAD_SIGNUP: 'off' }, false],
  ])(
    'the defaults of a new database let people sign up as the address allows: %s',
    async (_where, environment, signup) => {
      const { defaults, warned } = await setup(true)
      expect(await defaults(environment)).toEqual({ ...strict, signup })
      expect(warned).toEqual([])
    },
  )
})

describe('the defaults of an existing database', () => {
  test('the defaults of an existing database are the former ones, with a warning for each that differs', async () => {
    const { defaults, warned } = await setup(false)
    expect(await defaults({ HOST: '0.0.0.0' })).toEqual(former)
    expect(warned).toEqual(['FAIRLEAD_SIGNUP', ...always])
    expect(await defaults()).toEqual(former)
    expect(warned.slice(1 + always.length)).toEqual(always)
  })

  test('the defaults of an existing database give way to what is set', async () => {
    const { defaults, warned } = await setup(false)
    const set = {
      HOST: '0.0.0.0',
      FAIRLEAD_SIGNUP: 'off',
      FAIRLEAD_SESSION_DAYS: '7',
      FAIRLEAD_TAGS_FROM_METADATA: 'off',
      FAIRLEAD_WRITTEN_BYTES_PER_DAY: '1000000',
      FAIRLEAD_RETENTION_IMAGE_BYTES: '0',
    }
    const expected = { signup: false, sessionDays: 7, tagsFromMetadata: false }
    expect(await defaults(set)).toEqual({ ...expected, writtenBytesPerDay: 1_000_000, imageBytes: Infinity })
    expect(warned).toEqual([])
  })
})
