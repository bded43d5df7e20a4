import { describe, expect, test } from 'vitest'
import { createKeyring, keyringCipher } from './keyring.ts'

const cipher = keyringCipher(createKeyring({ current: 'one key' }))
const secret = 'fl_canary “secret” 😀'
const sealed = cipher.seal(secret, 'claim 1')

describe('keyringCipher', () => {
  test.each([secret, '', 'x'.repeat(100_000)])('keyringCipher decrypts what it encrypted', (text) => {
    expect(cipher.open(cipher.seal(text, 'claim 1'), 'claim 1')).toBe(text)
  })

  test('keyringCipher does not decrypt with another key', () => {
    expect(Buffer.from(sealed, 'base64').includes('canary')).toBe(false)
    expect(keyringCipher(createKeyring({ current: 'another' })).open(sealed, 'claim 1')).toBeUndefined()
  })

  test('keyringCipher encrypts the same text differently each time', () => {
    expect(cipher.seal(secret, 'claim 1')).not.toBe(sealed)
  })

  test('keyringCipher decrypts with the previous key after a rotation', () => {
    const later = keyringCipher(createKeyring({ current: 'next key', previous: 'one key' }))
    expect(later.open(sealed, 'claim 1')).toBe(secret)
    expect(cipher.open(later.seal(secret, 'claim 1'), 'claim 1')).toBeUndefined()
  })

  test('keyringCipher decrypts on each node, in either order of the two keys, what any node encrypted in a rotation', () => {
    const nodes = [
      { current: 'one key' },
      { current: 'one key', previous: 'next key' },
      { current: 'next key', previous: 'one key' },
      { current: 'next key' },
    ].map((keys) => keyringCipher(createKeyring(keys)))
    // Nodes of two consecutive phases run at the same time.
    for (const [phase, writer] of nodes.entries()) {
      const text = writer.seal(secret, 'claim 1')
      expect(writer.isCurrent(text, 'claim 1')).toBe(true)
      for (const reader of nodes.slice(Math.max(0, phase - 1), phase + 2))
        expect(reader.open(text, 'claim 1')).toBe(secret)
    }
    const [, first, second] = nodes
    expect(second!.isCurrent(first!.seal(secret, 'claim 1'), 'claim 1')).toBe(false)
  })

  test('keyringCipher does not decrypt in another context', () => {
    expect(cipher.open(sealed, 'claim 2')).toBeUndefined()
  })

  test('keyringCipher does not decrypt a text with any changed byte', () => {
    const bytes = Buffer.from(sealed, 'base64')
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes)
      changed[at] = (changed[at] ?? 0) ^ 1
      expect(cipher.open(changed.toString('base64'), 'claim 1')).toBeUndefined()
    }
  })

  test.each(['', 'AQ==', 'not base64 at all', Buffer.alloc(28).toString('base64')])(
    'keyringCipher does not decrypt %j',
    (text) => {
      expect(cipher.open(text, 'claim 1')).toBeUndefined()
    },
  )
})
