import { getEventListeners } from 'node:events'
import { inspect } from 'node:util'
import { ProviderError } from '@fairlead/core/provider'
import { replaying } from '@fairlead/testing'
import { describe, expect, test, vi } from 'vitest'
import type { Authorize } from '../index.ts'
import { schema, textUpstream } from '../testing/text-upstream.ts'

const { client, upstream } = textUpstream()
const { signal } = new AbortController()

/** An upstream that accepts one token. */
function accept(token: string) {
  upstream().answer((response, request) => {
    const isRight = request.headers.authorization === `Bearer ${token}`
    const reply = isRight ? { json: { text: 'hello' } } : { status: 401, json: { seen: request.headers.authorization } }
    return replaying(reply)(response, request)
  })
}

const sent = () => upstream().requests.map(({ headers }) => headers.authorization)

/** Tokens that are issued one after the other, and kept until they are rejected. */
function issuing(...tokens: string[]) {
  let token: string | undefined
  let issued = 0
  const authorize = vi.fn<Authorize>(async ({ rejected }) => {
    if (rejected || token === undefined) token = tokens[issued++]
    return { authorization: `Bearer ${token}` }
  })
  return { authorize, issued: () => issued }
}

const post = { path: '/chat', body: {}, schema, signal }

describe('authorize', () => {
  test('authorize is called for each request, with the key and before anything is rejected', async () => {
    const calls: unknown[] = []
    const authorize: Authorize = ({ apiKey, rejected }) => {
      calls.push([apiKey, rejected])
      return { 'x-token': `${apiKey}-${calls.length}` }
    }
    upstream().answer(replaying({ json: { text: 'hello' } }))
    const { postJson, close } = client({ apiKey: ['key-one', 'key-two'], authorize })
    await postJson(post)
    await postJson(post)
    await close()
    expect(calls).toEqual([
      ['key-one', false],
      ['key-two', false],
    ])
    expect(upstream().requests.map(({ headers }) => [headers['x-token'], headers.authorization])).toEqual([
      ['key-one-1', undefined],
      ['key-two-2', undefined],
    ])
  })

  test.each(['postJson', 'postForEvents', 'postForLines'] as const)(
    'authorize renews rejected headers, and %s sends its request once more',
    async (method) => {
      accept('two')
      const { authorize } = issuing('one', 'two')
      const made = client({ authorize })
      const found =
        method === 'postJson'
          ? await made.postJson(post)
          : (await made[method]({ ...post, eventsOf: () => undefined }).next()).value
      expect(found).toEqual({ text: 'hello' })
      expect(sent()).toEqual(['Bearer one', 'Bearer two'])
    },
  )

  test('authorize renews once, and a second rejection fails the call', async () => {
    accept('three')
    const { authorize } = issuing('one', 'two', 'three')
    await expect(client({ authorize }).postJson(post)).rejects.toMatchObject({ failure: 'credential' })
    expect(sent()).toEqual(['Bearer one', 'Bearer two'])
  })

  test('authorize without other headers leads to no second request', async () => {
    accept('two')
    await expect(client({ authorize: () => ({ authorization: 'Bearer one' }) }).postJson(post)).rejects.toMatchObject({
      failure: 'credential',
    })
    expect(sent()).toEqual(['Bearer one'])
  })

  test('authorize renews once for calls that are rejected together', async () => {
    const { authorize, issued } = issuing('one', 'two', 'three')
    accept('one')
    const made = client({ authorize })
    await made.postJson(post)
    accept('two')
    await Promise.all(Array.from({ length: 8 }, () => made.postJson(post)))
    expect(issued()).toBe(2)
  })

  test('authorize renews once for calls whose rejections arrive one after the other', async () => {
    const { authorize, issued } = issuing('one', 'two', 'three')
    const made = client({ authorize })
    let refuseLate = () => {}
    const late = new Promise<void>((resolve) => (refuseLate = resolve))
    upstream().answer(async (response, request) => {
      if (upstream().requests.length === 1) await late
      const isRight = request.headers.authorization === 'Bearer two'
      await replaying(isRight ? { json: { text: 'hello' } } : { status: 401, json: {} })(response, request)
    })
    const first = made.postJson(post)
    await expect.poll(() => upstream().requests.length).toBe(1)
    await made.postJson(post)
    refuseLate()
    await first
    expect(issued()).toBe(2)
  })

  test('authorize is shared by all calls that wait for it', async () => {
    accept('one')
    const token = Promise.withResolvers<string>()
    const authorize = vi.fn<Authorize>(async () => ({ authorization: `Bearer ${await token.promise}` }))
    const made = client({ authorize })
    const calls = [made.postJson(post), made.postJson(post), made.postJson(post)]
    token.resolve('one')
    await Promise.all(calls)
    expect(authorize).toHaveBeenCalledTimes(1)
  })

  test('authorize continues for the others when one call is aborted, which ends at once', async () => {
    accept('one')
    const token = Promise.withResolvers<string>()
    let renewal: AbortSignal | undefined
    const authorize: Authorize = async (call) => {
      renewal = call.signal
      return { authorization: `Bearer ${await token.promise}` }
    }
    const made = client({ authorize })
    const leaving = new AbortController()
    const left = made.postJson({ ...post, signal: leaving.signal })
    const stays = made.postJson(post)
    const reason = new Error('the caller left')
    leaving.abort(reason)
    await expect(left).rejects.toBe(reason)
    expect(renewal?.aborted).toBe(false)
    token.resolve('one')
    expect(await stays).toEqual({ text: 'hello' })
  })

  test('authorize is aborted when no call waits any more, and begins again for the next', async () => {
    accept('one')
    const signals: AbortSignal[] = []
    const authorize: Authorize = async (call) => {
      signals.push(call.signal)
      if (signals.length > 1) return { authorization: 'Bearer one' }
      return new Promise(() => {})
    }
    const made = client({ authorize })
    const leaving = new AbortController()
    const left = made.postJson({ ...post, signal: leaving.signal })
    leaving.abort(new Error('the caller left'))
    await expect(left).rejects.toThrow('the caller left')
    expect(signals[0]?.aborted).toBe(true)
    expect(await made.postJson(post)).toEqual({ text: 'hello' })
  })

  test('authorize leaves no listener on the signal of the call', async () => {
    accept('one')
    const controller = new AbortController()
    await client({ authorize: issuing('one').authorize }).postJson({ ...post, signal: controller.signal })
    expect(getEventListeners(controller.signal, 'abort')).toEqual([])
  })

  test('authorize does not send a stream twice, but the next request has other headers', async () => {
    accept('two')
    const { authorize } = issuing('one', 'two')
    const made = client({ authorize })
    const body = (async function* () {
      yield Buffer.from('{}')
    })()
    await expect(made.postJson({ ...post, body })).rejects.toMatchObject({ failure: 'credential' })
    expect(await made.postJson(post)).toEqual({ text: 'hello' })
    expect(sent()).toEqual(['Bearer one', 'Bearer two'])
  })
})

describe('a failed renewal', () => {
  function failing(error: unknown) {
    const authorize = async () => {
      throw error
    }
    return client({ authorize }).postJson(post)
  }

  test.each([
    ['retry', 'retry'],
    ['rate_limited', 'rate_limited'],
    ['credential', 'credential'],
    // The fault is not in the caller's request.
    ['invalid_request', 'credential'],
  ] as const)('a failed renewal with %s fails the call with %s, without a request', async (given, failure) => {
    const error = new ProviderError(given, 'answered 400', { field: 'prompt', detail: 'no', upstream: { status: 200 } })
    await expect(failing(error)).rejects.toMatchObject({
      failure,
      message: 'acme: answered 400',
      field: undefined,
      detail: undefined,
      mayBill: false,
    })
    expect(upstream().requests).toEqual([])
  })

  test('a failed renewal by fetch is a failure of the connection', async () => {
    const closed = await fetch('http://127.0.0.1:1').catch((error: unknown) => error)
    await expect(failing(closed)).rejects.toMatchObject({ name: 'ProviderError', failure: 'retry' })
    await expect(failing(new DOMException('too slow', 'TimeoutError'))).rejects.toMatchObject({ failure: 'timeout' })
  })

  test('a failed renewal for another reason is a bug, and is not hidden', async () => {
    const bug = new RangeError('oops')
    await expect(failing(bug)).rejects.toBe(bug)
  })

  test('a failed renewal fails every call that waits for it, and the next call tries again', async () => {
    accept('one')
    const authorize = vi
      .fn<Authorize>(async () => ({ authorization: 'Bearer one' }))
      .mockRejectedValueOnce(new ProviderError('retry', 'away'))
    const made = client({ authorize })
    const results = await Promise.allSettled([made.postJson(post), made.postJson(post)])
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(await made.postJson(post)).toEqual({ text: 'hello' })
  })
})

describe('headers that authorize returned', () => {
  test('headers that authorize returned are removed from errors', async () => {
    upstream().answer((response, request) =>
      replaying({ status: 400, json: { seen: request.headers } })(response, request),
    )
    const explainError = ({ body }: { body: unknown }) => ({ message: JSON.stringify(body) })
    const authorize: Authorize = () => ({ authorization: 'Bearer canary-one', 'x-session': 'canary=two' })
    const error = await client({ authorize, explainError })
      .postJson(post)
      .catch((caught: unknown) => caught)
    expect(error).toMatchObject({ failure: 'invalid_request' })
    expect(inspect(error, { depth: Infinity, showHidden: true })).not.toMatch(/canary/)
  })
})
