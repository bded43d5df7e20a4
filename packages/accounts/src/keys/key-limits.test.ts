import { describe, expect, test } from 'vitest'
import { operations } from '@fairlead/testing/workspace'
import type { Credentials } from '@fairlead/core'
import type { KeyLimits } from '@fairlead/core/stores'
import { testCore } from '@fairlead/testing'

const invalid = (field: string, issue: RegExp) => ({
  error: { code: 'INVALID_REQUEST', details: { field, issue: expect.stringMatching(issue) } },
})

/** A user of the pro tier with a key that has these limits, and one without any. */
async function family(limits: KeyLimits) {
  const setup = await testCore()
  const run: typeof setup.core.run = (operation, credentials, input) =>
    setup.core.run(operation, credentials, input, { address: '10.1.2.3' })
  const { userId, keyId, credentials } = await setup.addCaller({ user: { tier: 'pro' }, key: { limits } })
  const { accessToken } = await setup.fairlead.sessions.exchange({ token: setup.signInToken(userId) })
  const session: Credentials = { kind: 'bearer', token: accessToken }
  const create = (input: object, by: Credentials = credentials) =>
    run(operations.createApiKey, by, { name: 'child', scopes: ['keys'], ...input })
  const patch = (id: string, input: object, by: Credentials = credentials) =>
    run(operations.updateApiKey, by, { id, ...input })
  return { ...setup, run, keyId, credentials, session, create, patch }
}

const all = {
  models: ['gpt-*', 'fast'],
  requestsPerMinute: 60,
  tokensPerMinute: 1_000,
  maxConcurrency: 4,
  allowedNetworks: ['10.0.0.0/8', '2001:db8::/32'],
  quotaLimit: 500,
}
const none = {
  models: null,
  requestsPerMinute: null,
  tokensPerMinute: null,
  maxConcurrency: null,
  allowedNetworks: null,
  metadata: null,
}

describe('the limits of a key', () => {
  test('the limits of a key are null by default, and its quota is that of the tier', async () => {
    const { create, session } = await family({})
    expect(await create({}, session)).toMatchObject({ data: { ...none, quotaLimit: 10_000 } })
  })

  test('the limits of a key are those that it was created with, and change one by one', async () => {
    const { create, patch, run, session } = await family({})
    const created = await create({ ...all, metadata: { team: 'search' } }, session)
    expect(created).toMatchObject({ data: { ...all, metadata: { team: 'search' } } })
    const id = created.success ? created.data.id : ''
    const changed = { ...all, requestsPerMinute: 30, tokensPerMinute: null, metadata: { team: 'search' } }
    expect(await patch(id, { requestsPerMinute: 30, tokensPerMinute: null }, session)).toMatchObject({ data: changed })
    expect(await patch(id, { name: 'renamed' }, session)).toMatchObject({ data: changed })
    expect(await run(operations.apiKey, session, { id })).toMatchObject({ data: changed })
    const cleared = await patch(id, { ...none, quotaLimit: null }, session)
    expect(cleared).toMatchObject({ data: { ...none, quotaLimit: 10_000 } })
  })

  test.each([
    ['models', []],
    ['models', ['']],
    ['requestsPerMinute', 0],
    ['tokensPerMinute', 1.5],
    ['maxConcurrency', 10_001],
    ['allowedNetworks', ['10.0.0.0/33']],
    ['allowedNetworks', ['example.com']],
    ['metadata', Object.fromEntries(Array.from({ length: 17 }, (_, n) => [`tag ${n}`, 'x']))],
    ['metadata', { '': 'x' }],
    ['metadata', { team: 'x'.repeat(129) }],
  ])('the limits of a key reject %s %j', async (field, value) => {
    const { create, session } = await family({})
    const reply = await create({ [field]: value }, session)
    expect(reply).toMatchObject({ error: { code: 'INVALID_REQUEST' } })
    expect(reply.success ? '' : reply.error.details.field).toMatch(new RegExp(`^${field}`))
  })

  test('the limits of a key reject a quota above that of the tier', async () => {
    const { create, session } = await family({})
    expect(await create({ quotaLimit: 10_001 }, session)).toMatchObject(
      invalid('quotaLimit', /^must be at most 10000, the quota of the user$/),
    )
  })
})

describe('a key with limits', () => {
  test('a key with limits gives the keys that it creates no copy of them, and at most as much', async () => {
    const { create } = await family(all)
    expect(await create({})).toMatchObject({ data: { ...none, quotaLimit: 10_000 } })
    const less = { ...all, models: ['gpt-5*'], requestsPerMinute: 1, allowedNetworks: ['10.1.0.0/16', '2001:db8::1'] }
    expect(await create(less)).toMatchObject({ data: less })
  })

  test.each([
    ['models', ['gpt-5', 'claude-*'], /^cannot include claude-\*: a key cannot exceed/],
    ['models', ['*'], /^cannot include \*/],
    ['requestsPerMinute', 61, /^must be at most 60: a key cannot exceed/],
    ['tokensPerMinute', 1_001, /^must be at most 1000/],
    ['maxConcurrency', 5, /^must be at most 4/],
    ['allowedNetworks', ['10.0.0.0/7'], /^cannot include 10\.0\.0\.0\/7/],
    ['allowedNetworks', ['::/0'], /^cannot include ::\/0/],
    ['quotaLimit', 501, /^must be at most 500/],
  ])('a key with limits cannot give %s %j to another key', async (field, value, issue) => {
    const { create, patch } = await family(all)
    expect(await create({ [field]: value })).toMatchObject(invalid(field, issue))
    const child = await create({})
    expect(await patch(child.success ? child.data.id : '', { [field]: value })).toMatchObject(invalid(field, issue))
  })

  test('a key with limits cannot give itself more, or none', async () => {
    const { patch, keyId } = await family(all)
    expect(await patch(keyId, { requestsPerMinute: 61 })).toMatchObject(invalid('requestsPerMinute', /at most 60/))
    const cleared = { models: null, requestsPerMinute: null, quotaLimit: null }
    expect(await patch(keyId, cleared)).toMatchObject({ data: all })
  })

  test('a key with limits cannot get the secret of a key with more', async () => {
    const { create, run, credentials, session } = await family(all)
    const rotate = async (input: object) => {
      const other = await create(input, session)
      return run(operations.rotateApiKey, credentials, { id: other.success ? other.data.id : '' })
    }
    const refused = { error: { code: 'FORBIDDEN', message: expect.stringContaining('the secret of one with more') } }
    expect(await rotate({})).toMatchObject(refused)
    expect(await rotate({ ...all, models: ['*'] })).toMatchObject(refused)
    expect(await rotate({ ...all, maxConcurrency: 5 })).toMatchObject(refused)
    expect(await rotate({ ...all, maxConcurrency: 3 })).toMatchObject({ success: true })
  })

  test('a key with limits limits the keys that it created when others change them', async () => {
    const { create, patch, session } = await family(all)
    const child = await create({ requestsPerMinute: 10 })
    const id = child.success ? child.data.id : ''
    expect(await patch(id, { requestsPerMinute: 61 }, session)).toMatchObject(
      invalid('requestsPerMinute', /at most 60/),
    )
    expect(await patch(id, { requestsPerMinute: null, models: null }, session)).toMatchObject({ data: none })
  })
})

describe('the lists and tags of a key', () => {
  const names = (count: number, length: number) =>
    Array.from({ length: count }, (_, n) => String(n).padStart(3, '0').padEnd(length, 'é'))

  test('the lists and tags of a key have at most 16,000 bytes of JSON together, and the error names the longest that was sent', async () => {
    const { create, patch, core, session } = await family({})
    expect(await create({ models: names(80, 200) })).toMatchObject(invalid('models', /at most 16000 bytes of JSON/))
    // 80 names of 3 bytes and 91 of two bytes each, with quotes and commas.
    const models = names(80, 94)
    const created = await create({ models }, session)
    const id = created.success ? created.data.id : ''
    expect(created).toMatchObject({ success: true })
    const metadata = Object.fromEntries(names(16, 8).map((name) => [name, 'v'.repeat(128)]))
    expect(await patch(id, { metadata }, session)).toMatchObject(invalid('metadata', /and these have 17/))
    expect(await patch(id, { name: 'other' }, session)).toMatchObject({ success: true })
    expect(await patch(id, { metadata, models: null }, session)).toMatchObject({ success: true })
    await core.close()
  })

  test('the lists and tags of a key that are longer from before stay, and its other limits can change', async () => {
    const { patch, keyId, session } = await family({ models: names(100, 200) })
    expect(await patch(keyId, { requestsPerMinute: 60 }, session)).toMatchObject({ success: true })
    expect(await patch(keyId, { metadata: { team: 'search' } }, session)).toMatchObject(invalid('metadata', /too long/))
  })
})
