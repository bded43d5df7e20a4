import { testStores } from '@fairlead/testing'
import { describe, expect, test } from 'vitest'
import { createKeyring } from '@fairlead/core/feature'
import { adoptSecretKey, renewFingerprint } from './adopt-secret-key.ts'

const old = { current: 'old' }
const first = { current: 'old', previous: 'new' }
const second = { current: 'new', previous: 'old' }
const last = { current: 'new' }

describe('adoptSecretKey', () => {
  test.each([
    ['before a rotation and in its first phase', old, first],
    ['in both phases of a rotation', first, second],
    ['in the second phase of a rotation and after it', second, last],
  ])('adoptSecretKey lets nodes start again in any order %s', async (_name, before, after) => {
    const stores = testStores()
    for (const keys of [old, before, after, before, before, after])
      expect(await adoptSecretKey(stores, keys)).toBe(true)
  })

  test('adoptSecretKey refuses a node that skipped the first phase', async () => {
    const stores = testStores()
    expect(await adoptSecretKey(stores, old)).toBe(true)
    expect(await adoptSecretKey(stores, last)).toBe(false)
    expect(await adoptSecretKey(stores, second)).toBe(true)
    expect(await adoptSecretKey(stores, old)).toBe(false)
  })
})

describe('renewFingerprint', () => {
  test('renewFingerprint stores the new key again after a node with the old one as its current key started last', async () => {
    const stores = testStores()
    for (const keys of [old, second, first]) await adoptSecretKey(stores, keys)
    expect(await adoptSecretKey(stores, last)).toBe(false)
    await renewFingerprint(stores, createKeyring(second))
    expect(await adoptSecretKey(stores, last)).toBe(true)
  })

  test('renewFingerprint stores no key that was not adopted', async () => {
    const stores = testStores()
    await renewFingerprint(stores, createKeyring(second))
    expect(await adoptSecretKey(stores, { current: 'another' })).toBe(true)
    await renewFingerprint(stores, createKeyring(second))
    expect(await adoptSecretKey(stores, { current: 'another' })).toBe(true)
  })
})
