import { describe, expect, test } from 'vitest'
import { completed } from './identity.ts'

const token = { iss: 'https://id.example.com', sub: 'ada' }

describe('completed', () => {
  test('completed adds what the ID token lacks, and replaces nothing that it has', () => {
    const info = { sub: 'ada', name: 'Another', groups: ['ops'], email: 'ada@example.com', email_verified: true }
    expect(completed({ ...token, name: 'Ada' }, info)).toEqual({ ...token, ...info, name: 'Ada' })
  })

  test.each([
    [
      'an address of the ID token',
      { email: 'victim@example.com' },
      { email: 'mine@example.com', email_verified: true },
    ],
    ['an address of userinfo', { email_verified: true }, { email: 'victim@example.com' }],
  ])('completed does not verify %s by the other document', (_case, claims, info) => {
    const found = completed({ ...token, ...claims }, { sub: 'ada', ...info })
    expect([found['email'], found['email_verified']]).toEqual(['victim@example.com', undefined])
  })

  test.each([
    [
      'the ID token',
      { email: 'ada@example.com', email_verified: true },
      { email: 'x@example.com', email_verified: false },
    ],
    ['userinfo', { email_verified: false }, { email: 'ada@example.com', email_verified: true }],
  ])('completed takes the address and its verification from %s', (_case, claims, info) => {
    const found = completed({ ...token, ...claims }, { sub: 'ada', ...info })
    expect([found['email'], found['email_verified']]).toEqual(['ada@example.com', true])
  })
})
