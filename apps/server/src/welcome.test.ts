import { expect, test } from 'vitest'
import { welcome } from './welcome.ts'

const admin = { email: 'admin@example.com', apiKey: 'fl_x', signInToken: 'token' }
const options = { baseUrl: 'http://127.0.0.1:8080', signup: true, hasLocalModels: true, demo: false }

test('the first start says that sign-up is open and how to close it, unless it is closed', () => {
  expect(welcome(admin, options)).toMatch(/Sign-up is open.*\n.*FAIRLEAD_SIGNUP=off/)
  expect(welcome(admin, { ...options, signup: false })).not.toMatch('Sign-up')
})

test('the first start lists the models, and names none, without the embedded models', () => {
  const text = welcome(admin, { ...options, hasLocalModels: false })
  expect(text).toContain("curl http://127.0.0.1:8080/models \\\n  -H 'Authorization: Bearer fl_x'\n")
  expect(text).not.toContain('"model"')
})
