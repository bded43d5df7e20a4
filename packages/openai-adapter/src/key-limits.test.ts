import { operations } from '@fairlead/testing/workspace'
import { scripted, fakeTextModel } from '@fairlead/testing'
import { describe, expect, test } from 'vitest'
import { able, serve } from './testing/serve.ts'

const body = { model: 'any', messages: [{ role: 'user', content: 'Hi' }] }

describe('a key with limits', () => {
  async function limited(limits: object) {
    const other = { ...scripted('other', 'hi'), models: [fakeTextModel({ id: 'other' })] }
    const { ask, addCaller } = await serve({ providers: [able().provider, other] })
    const { credentials } = await addCaller({ key: { limits } })
    const headers = { authorization: `Bearer ${credentials.token}` }
    return { ask: (path: string, sent?: object) => ask(path, sent, headers) }
  }

  test('a key with limits lists and calls only its models', async () => {
    const { ask } = await limited({ models: ['a*'] })
    const { json } = await ask('/models')
    expect(json.data.map(({ id }: { id: string }) => id)).toEqual(['any'])
    expect((await ask('/chat/completions', body)).status).toBe(200)
    const refused = await ask('/chat/completions', { ...body, model: 'other' })
    expect(refused).toMatchObject({
      status: 403,
      json: { error: { message: expect.stringContaining('"other" is not among the models'), param: 'model' } },
    })
  })

  test('a key with limits gets 429 in the form of the API beyond its requests per minute', async () => {
    const { ask } = await limited({ requestsPerMinute: 1 })
    expect((await ask('/chat/completions', body)).status).toBe(200)
    const refused = await ask('/chat/completions', body)
    expect(refused).toMatchObject({ status: 429, json: { error: { code: 'rate_limit_exceeded' } } })
    expect(refused.headers.get('retry-after')).toBe('60')
  })
})

describe('the tags of a request', () => {
  test.each([
    ['/chat/completions', body],
    ['/responses', { model: 'any', input: 'Hi' }],
  ])('the tags of a request of %s are its header, and its metadata for a key that takes them', async (path, sent) => {
    const { ask, fairlead, core, addCaller } = await serve({ providers: [able().provider] })
    const plain = await addCaller()
    const metadata = { team: 'search' }
    await ask(path, { ...sent, metadata }, { authorization: `Bearer ${plain.credentials.token}` })
    const listed = await fairlead.requests.list({ userId: plain.userId })
    expect(listed.map(({ tags }) => tags)).toEqual([{}])
    const { credentials: caller } = await addCaller({ key: { limits: { tagsFromMetadata: true } } })
    const headers = { authorization: `Bearer ${caller.token}`, 'x-fairlead-tags': 'env=prod' }
    const reply = await ask(path, { ...sent, metadata: { team: 'search', note: 'x'.repeat(200) } }, headers)
    expect([reply.status, reply.headers.get('x-fairlead-ignored')]).toEqual([200, null])
    expect(await core.run(operations.requests, caller, {})).toMatchObject({
      data: [{ tags: { team: 'search', env: 'prod' } }],
    })
  })

  test('the tags of a request are its metadata for all keys if the adapter says so', async () => {
    const { ask, core, caller } = await serve({ providers: [able().provider] }, { tagsFromMetadata: true })
    await ask(
      '/chat/completions',
      { ...body, metadata: { team: 'search' } },
      { authorization: `Bearer ${caller.token}` },
    )
    expect(await core.run(operations.requests, caller, {})).toMatchObject({ data: [{ tags: { team: 'search' } }] })
  })

  test('the tags of a request are rejected by the name of the header if they are malformed', async () => {
    const { ask, caller } = await serve({ providers: [able().provider] })
    const headers = { authorization: `Bearer ${caller.token}`, 'x-fairlead-tags': 'search' }
    expect(await ask('/chat/completions', body, headers)).toMatchObject({
      status: 400,
      json: { error: { message: expect.stringMatching(/^X-Fairlead-Tags must be a list of pairs/) } },
    })
  })
})
