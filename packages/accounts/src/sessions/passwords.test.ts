import { describe, expect, test } from 'vitest'
import { checkPassword, passwordIssue } from './passwords.ts'

describe('passwordIssue', () => {
  test.each([
    ['too short', 'eleven char', 'must have 12 to 128 characters'],
    ['too long', 'x'.repeat(129), 'must have 12 to 128 characters'],
    ['only spaces', ' '.repeat(12), 'must not be blank'],
    ['only tabs and line breaks', '\t\n'.repeat(6), 'must not be blank'],
    ['only invisible characters', '\u200B\u3164\u2800\u00AD'.repeat(3), 'must not be blank'],
    ['common', 'passwordpassword', 'is one of the most common passwords: choose another one'],
    ['common, in upper case', 'PASSWORD1234', 'is one of the most common passwords: choose another one'],
    ['a row of the keyboard', 'qwertyuiop123', 'is one of the most common passwords: choose another one'],
    ['the email address', 'ada.lovelace@example.com', 'must not be the email address'],
    ['the email address in upper case', 'ADA.Lovelace@Example.com ', 'must not be the email address'],
    ['the local part of the email address', 'ada.lovelace', 'must not be the email address'],
  ])('passwordIssue rejects a password that is %s', (_case, password, issue) => {
    expect(passwordIssue(password, ['grace@example.com', 'Ada.Lovelace@example.com'])).toBe(issue)
  })

  test.each(['correct horse battery', 'x'.repeat(128), 'ada.lovelace@example.org', '            .'])(
    'passwordIssue accepts %j',
    (password) => {
      expect(passwordIssue(password, ['ada.lovelace@example.com'])).toBeUndefined()
    },
  )
})

describe('checkPassword', () => {
  const context = {
    emails: ['ada.lovelace@acme-tools.example'],
    name: 'Ada Lovelace',
    baseUrl: 'https://ai.initech.com/x',
  }
  const issue = 'is derived from the name of the service, the company or the user'

  test.each([
    'fairlead2026!',
    'F41rL34d-2026!!',
    'FairleadPassword1',
    'fairleadfairlead',
    'Initech-2026-!!',
    '1n1t3chAdmin99',
    'acme-acme-acme-1',
    'LoveLace1815!!',
    'welcome@acme.1',
  ])('checkPassword rejects %j, which is little more than a name', (password) => {
    expect(() => checkPassword(password, context)).toThrow(issue)
  })

  test.each([
    'fairlead horse battery',
    'correct horse battery',
    'initech staple correct',
    '8f2k-91xz-77qp-03',
    'ada likes her tea',
    'x'.repeat(128),
  ])('checkPassword accepts %j', (password) => {
    expect(() => checkPassword(password, context)).not.toThrow()
  })

  test('checkPassword rejects the most common passwords, too', () => {
    expect(() => checkPassword('passwordpassword', context)).toThrow('one of the most common passwords')
  })

  test('checkPassword needs neither a name nor an address of the service', () => {
    expect(() => checkPassword('a fine password', { emails: ['a@localhost'], name: '', baseUrl: '' })).not.toThrow()
  })
})
