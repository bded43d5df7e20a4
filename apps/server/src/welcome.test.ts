import { expect, test } from 'vitest'
import { welcome } from './welcome.ts'

const admin = { email: 'admin@example.com', apiKey: 'fl_x', signInToken: 'token' }
const baseUrl = 'http://127.0.0.1:8080'

test('the first start says that sign-up is open and how to close it, unless it is closed', () => {
  expect(welcome(admin, { baseUrl, signup: true })).toMatch(/Sign-up is open.*\n.*FAIRLEAD_SIGNUP=off/)
  expect(welcome(admin, { baseUrl, signup: false })).not.toMatch('Sign-up')
})
