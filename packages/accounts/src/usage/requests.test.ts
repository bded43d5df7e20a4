import { describe, expect, test } from 'vitest'
import type { Credentials } from '@fairlead/core'
import { failing, scripted, fakeTextModel, testCore } from '@fairlead/testing'
import { operations } from '@fairlead/testing/workspace'

async function setup() {
  const broken = { ...failing('down', 'retry'), models: [fakeTextModel({ id: 'broken' })] }
  const context = await testCore({ providers: [scripted('calm', 'hello there'), broken] })
  const { core, clock, caller } = context
  return {
    ...context,
    async generate(model = 'any', as: Credentials = caller) {
      clock.advance(1_000)
      const { meta } = await core.run(operations.generate, as, { model, prompt: 'greet me' })
      return meta.requestId
    },
    async list(input: object = {}, as: Credentials = caller) {
      const reply = await core.run(operations.requests, as, input)
      if (!reply.success) throw new Error(reply.error.message)
      return { ...reply.meta.page, records: reply.data, ids: reply.data.map(({ requestId }) => requestId) }
    },
    get: (id: string, as: Credentials = caller) => core.run(operations.request, as, { id }),
  }
}

describe('listRequests', () => {
  test('listRequests returns the facts of each metered request, newest first', async () => {
    const { generate, list, keyId } = await setup()
    const failed = await generate('broken')
    const succeeded = await generate()
    expect((await list()).records).toEqual([
      {
        id: expect.stringMatching(/^run_\d+$/),
        requestId: succeeded,
        operation: 'generate',
        status: 'ok',
        charged: true,
        createdAt: '2026-03-14T09:26:55.589Z',
        durationMs: 0,
        firstTokenMs: null,
        queuedMs: null,
        userId: expect.stringMatching(/^usr_/),
        userName: 'Ada',
        keyId,
        keyName: 'test',
        model: 'any',
        provider: 'calm',
        promptTokens: 2,
        completionTokens: 2,
        totalTokens: 4,
        reasoningTokens: null,
        cachedPromptTokens: 0,
        costUsd: 0,
        stream: false,
        cached: false,
        tags: {},
        errorMessage: null,
        upstreamStatus: null,
        attempts: [],
      },
      expect.objectContaining({ requestId: failed, status: 'PROVIDER_ERROR', charged: false, provider: 'down' }),
    ])
  })

  test('listRequests returns the reasoning and cached tokens that the provider counted', async () => {
    const usage = { promptTokens: 90, completionTokens: 50, reasoningTokens: 40, cachedPromptTokens: 60 }
    const { core, caller } = await testCore({ providers: [scripted('calm', 'hello', { usage })] })
    await core.run(operations.generate, caller, { model: 'any', prompt: 'greet me' })
    expect(await core.run(operations.requests, caller, {})).toMatchObject({ data: [{ ...usage, totalTokens: 140 }] })
  })

  test('listRequests is free of charge, and does not list itself', async () => {
    const { list, core, caller } = await setup()
    await list()
    expect((await list()).records).toEqual([])
    expect((await core.run(operations.models, caller, {})).limits).toMatchObject({ remaining: 999 })
  })

  test('listRequests pages with a cursor while requests are added', async () => {
    const { generate, list } = await setup()
    const ids = [await generate(), await generate(), await generate()]
    const { ids: first, nextCursor, hasMore } = await list({ limit: 2 })
    expect([first, hasMore]).toEqual([[ids[2], ids[1]], true])
    await generate()
    const rest = await list({ limit: 2, cursor: nextCursor })
    expect([rest.ids, rest.hasMore, rest.nextCursor]).toEqual([[ids[0]], false, null])
  })

  test('listRequests filters by request, model, status, key, and time', async () => {
    const { generate, list, keyId, fairlead, addCaller, signInToken } = await setup()
    const failed = await generate('broken')
    const succeeded = await generate()
    expect((await list({ requestId: failed })).ids).toEqual([failed])
    expect((await list({ model: 'any' })).ids).toEqual([succeeded])
    expect((await list({ operation: 'analyze' })).ids).toEqual([])
    expect((await list({ status: 'error' })).ids).toEqual([failed])
    expect((await list({ status: 'PROVIDER_ERROR' })).ids).toEqual([failed])
    expect((await list({ keyId })).ids).toEqual([succeeded, failed])
    expect((await list({ createdAfter: '2026-03-14T09:26:55Z' })).ids).toEqual([succeeded])
    expect((await list({ createdBefore: '2026-03-14T09:26:55Z' })).ids).toEqual([failed])
    const { userId } = await addCaller()
    const { accessToken: token } = await fairlead.sessions.exchange({ token: signInToken(userId) })
    const bySession = await generate('any', { kind: 'bearer', token })
    const found = await list({ keyId: 'sessions' }, { kind: 'bearer', token })
    expect(found.records).toMatchObject([{ requestId: bySession, keyId: null, keyName: null, userId }])
  })

  test('listRequests filters by tag, and by a value of it', async () => {
    const { core, caller, clock, list } = await setup()
    const run = async (tags?: Record<string, string>) => {
      clock.advance(1_000)
      return (await core.run(operations.generate, caller, { model: 'any', prompt: 'greet me' }, { tags })).meta
        .requestId
    }
    const search = await run({ team: 'search' })
    const ads = await run({ team: 'ads', env: 'prod' })
    await run()
    expect((await list({ tag: 'team' })).ids).toEqual([ads, search])
    expect((await list({ tag: 'team', tagValue: 'search' })).ids).toEqual([search])
    expect((await list({ tag: 'env', tagValue: 'test' })).ids).toEqual([])
    expect(await core.run(operations.requests, caller, { tagValue: 'search' })).toMatchObject({
      error: { code: 'INVALID_REQUEST', details: { field: 'tag', issue: 'is required with a value' } },
    })
  })

  test('listRequests rejects an unknown status', async () => {
    const { core, caller } = await setup()
    expect(await core.run(operations.requests, caller, { status: 'bad' })).toMatchObject({
      error: { code: 'INVALID_REQUEST', details: { field: 'status' } },
    })
  })

  test('listRequests returns only the caller’s own requests, and all of them to an admin', async () => {
    const { generate, list, addCaller } = await setup()
    const { credentials: other, userId } = await addCaller()
    const { credentials: admin } = await addCaller({ user: { role: 'admin' } })
    const [first, second] = [await generate(), await generate('any', other)]
    expect((await list({}, other)).ids).toEqual([second])
    expect((await list({ requestId: first }, other)).ids).toEqual([])
    expect((await list({ userId })).ids).toEqual([])
    expect((await list({}, admin)).ids).toEqual([second, first])
    expect((await list({ userId }, admin)).ids).toEqual([second])
  })

  test('listRequests has the names of users and keys, as long as they exist', async () => {
    const { generate, list, get, addCaller, fairlead } = await setup()
    const ben = await addCaller({ user: { name: 'Ben' }, key: { name: 'laptop' } })
    const { credentials: admin } = await addCaller({ user: { role: 'admin' } })
    const requestId = await generate('any', ben.credentials)
    expect((await list({}, admin)).records).toMatchObject([{ userName: 'Ben', keyName: 'laptop' }])
    expect(await get(requestId, admin)).toMatchObject({ data: { userName: 'Ben', keyName: 'laptop' } })
    await fairlead.users.delete({ id: ben.userId })
    expect((await list({}, admin)).records).toMatchObject([{ userName: null, keyName: null, userId: ben.userId }])
  })

  test('listRequests returns all requests or only the caller’s own, as an admin asks', async () => {
    const { generate, list, addCaller, core, caller } = await setup()
    const { credentials: admin, userId } = await addCaller({ user: { role: 'admin' } })
    const [first, second] = [await generate(), await generate('any', admin)]
    expect((await list({ allUsers: true }, admin)).ids).toEqual([second, first])
    expect((await list({ allUsers: false }, admin)).ids).toEqual([second])
    expect((await list({ allUsers: false })).ids).toEqual([first])
    expect(await core.run(operations.requests, caller, { allUsers: true })).toMatchObject({
      error: { code: 'FORBIDDEN' },
    })
    expect(await core.run(operations.requests, admin, { allUsers: true, userId })).toMatchObject({
      error: { code: 'INVALID_REQUEST', details: { field: 'allUsers' } },
    })
  })
})

describe('getRequest', () => {
  test('getRequest returns a request by the id of its record and by its request id', async () => {
    const { generate, list, get } = await setup()
    const requestId = await generate()
    const [record] = (await list()).records
    expect(await get(record!.id)).toMatchObject({ data: record })
    expect(await get(requestId)).toMatchObject({ data: record })
  })

  test('getRequest returns NOT_FOUND for an unknown request and for a request of another user', async () => {
    const { generate, get, addCaller } = await setup()
    const { credentials: other } = await addCaller()
    const requestId = await generate()
    expect(await get(requestId, other)).toMatchObject({ error: { code: 'NOT_FOUND' } })
    expect(await get('req_1')).toMatchObject({ error: { code: 'NOT_FOUND' } })
  })
})
