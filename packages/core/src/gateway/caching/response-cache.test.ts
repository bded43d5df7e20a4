import { describe, expect, test } from 'vitest'
import type { Account } from '../../runtime/access.ts'
import { createKeyring, keyringCipher } from '../../runtime/keyring.ts'
import { type FakeCache, fakeCache } from '../../testing/fake-cache.ts'
import { scripted, testClock } from '@fairlead/testing'
import { type ResponseCache, createResponseCache, type ItemForm } from './response-cache.ts'
import type { CacheableRequest } from './cache-entries.ts'
import type { AttemptOwner } from '../routing/attempt.ts'
import type { Target } from '../routing/route.ts'
import { Task } from '../../runtime/run/task.ts'

const target: Target = { provider: scripted('calm', 'hello'), id: 'any' }
const ttlMs = 60_000

function cacheable(facts: Partial<CacheableRequest<Target>> = {}): CacheableRequest<Target> {
  return {
    operation: 'generate',
    route: { targets: [target], cache: { ttlMs } },
    request: { prompt: 'a secret plan', temperature: 0.7 },
    repeatable: true,
    ...facts,
  }
}

function someAccount(userId: string): Account {
  const credential = { kind: 'key', id: 'key_1' } as const
  return {
    kind: 'account',
    userId,
    role: 'member',
    tier: 'free',
    scopes: [],
    credential,
    counter: 'key_1',
    limit: null,
    limits: undefined,
    sharedQuotas: undefined,
    budgets: undefined,
  }
}

class Caller extends Task implements AttemptOwner {
  readonly requestId = 'req_1'
  readonly caller: Account
  readonly notes: unknown[] = []

  constructor(userId: string) {
    super()
    this.caller = someAccount(userId)
  }

  get signal() {
    return this.openSignal()
  }

  note(facts: object) {
    this.notes.push(facts)
  }

  warn() {}

  cancel() {
    this.abort(new Error('canceled'))
  }
}

const caller = (userId = 'usr_1') => new Caller(userId)

interface Setup {
  readonly answers: ResponseCache
  readonly cache: FakeCache
  readonly clock: ReturnType<typeof testClock>
}

function setup(change: (cache: FakeCache) => Partial<FakeCache> = () => ({})): Setup {
  const clock = testClock()
  const keyring = createKeyring({ current: 'k'.repeat(32) })
  const inner = fakeCache(clock)
  const cache = { ...inner, ...change(inner) }
  const mac = (text: string) => keyring.mac('answer cache', text)
  return { answers: createResponseCache({ cache, cipher: keyringCipher(keyring), mac }), cache, clock }
}

/** Counts and records its calls. */
function counting() {
  const calls: AttemptOwner[] = []
  const send = async (call: AttemptOwner) => {
    calls.push(call)
    return { target, answer: `answer ${calls.length}` }
  }
  return { calls, send }
}

/** Responds when the test says so. */
function waiting() {
  const calls: AttemptOwner[] = []
  const { promise, resolve, reject } = Promise.withResolvers<{ readonly target: Target; readonly answer: string }>()
  const send = (call: AttemptOwner) => {
    calls.push(call)
    return promise
  }
  return { calls, send, answer: (answer: string) => resolve({ target, answer }), fail: reject }
}

/** Runs all pending microtsends. */
const turn = () => new Promise<void>((resolve) => void setImmediate(resolve))

describe('the response cache', () => {
  test('the response cache returns the response to an identical request of the same account without an attempt', async () => {
    const { answers } = setup()
    const { send } = counting()
    const [first, second] = [caller(), caller()]
    expect(await answers.attempt(cacheable(), first, send)).toMatchObject({ answer: 'answer 1', cached: false })
    await turn()
    expect(await answers.attempt(cacheable(), second, send)).toMatchObject({ answer: 'answer 1', target, cached: true })
    expect(second.notes).toEqual([{ provider: 'calm', attempts: 0, cached: true }])
  })

  test('the response cache does not return it to another account', async () => {
    const { answers } = setup()
    const { calls, send } = counting()
    await answers.attempt(cacheable(), caller(), send)
    await turn()
    expect(await answers.attempt(cacheable(), caller('usr_2'), send)).toMatchObject({ answer: 'answer 2' })
    expect(calls).toHaveLength(2)
  })

  test.each<[string, Partial<CacheableRequest<Target>>]>([
    ['another operation', { operation: 'analyze' }],
    ['another request', { request: { prompt: 'a secret plan', temperature: 0.8 } }],
    ['a route with other targets', { route: { targets: [target, { ...target, id: 'b' }], cache: { ttlMs } } }],
    ['a request that bypasses the cache', { repeatable: false }],
    ['a route without caching', { route: { targets: [target] } }],
  ])('the response cache does not return it to %s', async (_, facts) => {
    const { answers } = setup()
    const { calls, send } = counting()
    await answers.attempt(cacheable(), caller(), send)
    await turn()
    expect(await answers.attempt(cacheable(facts), caller(), send)).toMatchObject({ answer: 'answer 2' })
    expect(calls).toHaveLength(2)
  })

  test.each<[string, Partial<CacheableRequest<Target>>]>([
    ['the caller does not want it', { repeatable: false }],
    ['the route has no TTL', { route: { targets: [target] } }],
  ])('the response cache does not store the response if %s', async (_, facts) => {
    const { answers, cache } = setup()
    await answers.attempt(cacheable(facts), caller(), counting().send)
    await turn()
    expect(cache.texts.size).toBe(0)
  })

  test('the response cache expires the response after the TTL of the route', async () => {
    const { answers, clock } = setup()
    const { send } = counting()
    await answers.attempt(cacheable(), caller(), send)
    await turn()
    clock.advance(ttlMs - 1)
    expect(await answers.attempt(cacheable(), caller(), send)).toMatchObject({ answer: 'answer 1' })
    clock.advance(1)
    expect(await answers.attempt(cacheable(), caller(), send)).toMatchObject({ answer: 'answer 2' })
  })

  test('the response cache calls the provider again if the stored response is no longer valid', async () => {
    const { answers } = setup()
    const { send } = counting()
    await answers.attempt(cacheable(), caller(), send)
    await turn()
    const isValid = async () => false
    expect(await answers.attempt(cacheable(), caller(), send, isValid)).toMatchObject({
      answer: 'answer 2',
      cached: false,
    })
  })

  test('the response cache ignores a cache that throws synchronously', async () => {
    const broken = () => {
      throw new Error('broken')
    }
    const { answers } = setup(() => ({ get: broken, set: broken }))
    const { send } = counting()
    expect(await answers.attempt(cacheable(), caller(), send)).toMatchObject({ answer: 'answer 1', cached: false })
    expect(await answers.attempt(cacheable(), caller(), send)).toMatchObject({ answer: 'answer 2', cached: false })
  })

  test('the response cache treats null from the cache as a miss', async () => {
    const { answers } = setup(() => ({ get: async () => null as unknown as undefined }))
    expect(await answers.attempt(cacheable(), caller(), counting().send)).toMatchObject({ answer: 'answer 1' })
  })

  test('the response cache ignores a cache that is unavailable', async () => {
    const unavailable = async () => Promise.reject(new Error('unavailable'))
    const { answers } = setup(() => ({ get: unavailable, set: unavailable }))
    const { send } = counting()
    expect(await answers.attempt(cacheable(), caller(), send)).toMatchObject({ answer: 'answer 1' })
    await turn()
    expect(await answers.attempt(cacheable(), caller(), send)).toMatchObject({ answer: 'answer 2' })
  })

  test('the response cache does not wait until the response is stored', async () => {
    const { answers } = setup(() => ({ set: () => new Promise(() => {}) }))
    expect(await answers.attempt(cacheable(), caller(), counting().send)).toMatchObject({ answer: 'answer 1' })
  })
})

function tamperedWith(text: string): string {
  return text.slice(0, 40) + (text[40] === 'A' ? 'B' : 'A') + text.slice(41)
}

describe('a cache entry', () => {
  test('a cache entry has a key that begins with the account, and reveals neither request nor response', async () => {
    const { answers, cache } = setup()
    await answers.attempt(cacheable(), caller(), counting().send)
    await turn()
    const [[name, text] = []] = cache.texts
    expect(name).toMatch(/^usr_1:[\w-]{43}$/)
    expect(Buffer.from(text ?? '', 'base64').toString('latin1')).not.toMatch(/secret|answer/)
  })

  test.each<[string, (cache: FakeCache, name: string) => void]>([
    ['was tampered with', (cache, name) => cache.texts.set(name, tamperedWith(cache.texts.get(name) ?? ''))],
    ['has an unknown format', (cache, name) => cache.texts.set(name, '{}')],
    [
      'was copied from another request',
      (cache, name) => cache.texts.set(name, [...cache.texts].find(([other]) => other !== name)?.[1] ?? ''),
    ],
  ])('a cache entry is a miss if it %s', async (_, corrupt) => {
    const { answers, cache } = setup()
    const { send } = counting()
    await answers.attempt(cacheable(), caller(), send)
    await turn()
    const [name = ''] = cache.texts.keys()
    await answers.attempt(cacheable(), caller('usr_2'), send)
    await turn()
    corrupt(cache, name)
    expect(await answers.attempt(cacheable(), caller(), send)).toMatchObject({ answer: 'answer 3' })
  })
})

describe('identical requests in flight', () => {
  test('identical requests in flight share one call, which only the first one pays for', async () => {
    const { answers } = setup()
    const { calls, send, answer } = waiting()
    const all = Array.from({ length: 5 }, () => answers.attempt(cacheable(), caller(), send))
    await turn()
    answer('once')
    expect((await Promise.all(all)).map(({ cached }) => cached)).toEqual([false, true, true, true, true])
    expect(calls).toHaveLength(1)
  })

  test('identical requests in flight continue when one of them is canceled, even the first', async () => {
    const { answers } = setup()
    const { calls, send, answer } = waiting()
    const [first, second] = [caller(), caller()]
    const replies = [answers.attempt(cacheable(), first, send), answers.attempt(cacheable(), second, send)]
    await turn()
    first.cancel()
    await expect(replies[0]).rejects.toThrow('canceled')
    expect(calls[0]?.signal.aborted).toBe(false)
    answer('worth waiting for')
    expect(await replies[1]).toMatchObject({ answer: 'worth waiting for' })
  })

  test('identical requests in flight are canceled when all clients have canceled, and the next request starts anew', async () => {
    const { answers } = setup()
    const { calls, send } = waiting()
    const [first, second] = [caller(), caller()]
    const replies = [answers.attempt(cacheable(), first, send), answers.attempt(cacheable(), second, send)]
    await turn()
    first.cancel()
    second.cancel()
    await Promise.allSettled(replies)
    expect(calls[0]?.signal.aborted).toBe(true)
    expect(await answers.attempt(cacheable(), caller(), counting().send)).toMatchObject({ cached: false })
  })

  test('identical requests in flight record the call for each client that cancels after a provider was called', async () => {
    const { answers } = setup()
    const [first, second, third] = [caller(), caller(), caller()]
    const { calls, send } = waiting()
    const replies = [first, second, third].map((each) => answers.attempt(cacheable(), each, send))
    await turn()
    first.cancel()
    await expect(replies[0]).rejects.toThrow('canceled')
    expect(first.notes).toEqual([])
    calls[0]?.note({ provider: 'calm', attempts: 1 })
    second.cancel()
    third.cancel()
    await expect(Promise.all(replies.slice(1))).rejects.toThrow('canceled')
    const attempts = [{ provider: 'calm', attempts: 1 }]
    expect([second.notes, third.notes]).toEqual([attempts, attempts])
  })

  test('identical requests in flight fail together, and the failure is not stored', async () => {
    const { answers, cache } = setup()
    const { send, fail } = waiting()
    const replies = [answers.attempt(cacheable(), caller(), send), answers.attempt(cacheable(), caller(), send)]
    await turn()
    fail(new Error('busy'))
    expect((await Promise.allSettled(replies)).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(cache.texts.size).toBe(0)
    expect(await answers.attempt(cacheable(), caller(), counting().send)).toMatchObject({ answer: 'answer 1' })
  })

  test('identical requests in flight are not shared between accounts', async () => {
    const { answers } = setup()
    const { calls, send, answer } = waiting()
    const accounts = ['usr_1', 'usr_2']
    const replies = accounts.map((account) => answers.attempt(cacheable(), caller(account), send))
    await turn()
    answer('separate')
    await Promise.all(replies)
    expect(calls).toHaveLength(2)
  })
})

const joined: ItemForm<string, string> = { toAnswer: (items) => items.join(''), toItems: (answer) => [answer] }

/** Streams each word when the test says so. */
function streaming() {
  const calls: AttemptOwner[] = []
  let ended = false
  const words: PromiseWithResolvers<string | undefined>[] = [Promise.withResolvers()]
  async function* generate() {
    try {
      for (let at = 0; ; at++) {
        const word = await words[at]?.promise
        if (word === undefined) return
        yield word
      }
    } finally {
      ended = true
    }
  }
  const emit = (word?: string) => {
    const pending = words.at(-1)
    words.push(Promise.withResolvers())
    pending?.resolve(word)
  }
  const send = async (call: AttemptOwner) => {
    calls.push(call)
    return { target, items: generate() }
  }
  const failStream = (error: Error) => words.at(-1)?.reject(error)
  return { calls, send, emit, failStream, ended: () => ended }
}

async function collect(items: AsyncIterable<string>): Promise<readonly string[]> {
  const found: string[] = []
  for await (const item of items) found.push(item)
  return found
}

describe('a cached stream', () => {
  test('a cached stream is stored when complete, and returned as a stream or as a whole', async () => {
    const { answers } = setup()
    const { send, emit } = streaming()
    const first = await answers.stream(cacheable(), caller(), send, joined)
    for (const word of ['hello ', 'there', undefined]) emit(word)
    expect(await collect(first.items)).toEqual(['hello ', 'there'])
    await turn()
    const second = await answers.stream(cacheable(), caller(), send, joined)
    expect([first.cached, second.cached]).toEqual([false, true])
    expect(await collect(second.items)).toEqual(['hello there'])
    expect(await answers.attempt(cacheable(), caller(), counting().send)).toMatchObject({ answer: 'hello there' })
  })

  test('a cached stream is read from its beginning by a request that joins later', async () => {
    const { answers } = setup()
    const { calls, send, emit } = streaming()
    const first = await answers.stream(cacheable(), caller(), send, joined)
    const heardFirst = collect(first.items)
    emit('one ')
    await turn()
    const second = await answers.stream(cacheable(), caller(), send, joined)
    const secondItems = collect(second.items)
    emit('two')
    emit()
    expect(await Promise.all([heardFirst, secondItems])).toEqual([
      ['one ', 'two'],
      ['one ', 'two'],
    ])
    expect(calls).toHaveLength(1)
  })

  test('a cached stream continues when one reader cancels', async () => {
    const { answers } = setup()
    const { calls, send, emit } = streaming()
    const [first, second] = [caller(), caller()]
    const heardFirst = collect((await answers.stream(cacheable(), first, send, joined)).items)
    const secondItems = collect((await answers.stream(cacheable(), second, send, joined)).items)
    emit('one')
    await turn()
    first.cancel()
    await expect(heardFirst).rejects.toThrow('canceled')
    expect(calls[0]?.signal.aborted).toBe(false)
    emit()
    expect(await secondItems).toEqual(['one'])
  })

  test('a cached stream is closed when all readers have canceled, and not stored', async () => {
    const { answers, cache } = setup()
    const { calls, send, emit, ended } = streaming()
    const { items } = await answers.stream(cacheable(), caller(), send, joined)
    emit('one')
    for await (const item of items) {
      expect(item).toBe('one')
      break
    }
    await turn()
    expect([calls[0]?.signal.aborted, ended(), cache.texts.size]).toEqual([true, true, 0])
  })

  test.each<[string, (items: AsyncIterable<string>, only: Caller) => unknown]>([
    ['cancels', (_items, only) => only.cancel()],
    ['closes it', (items) => items[Symbol.asyncIterator]().return?.()],
  ])('a cached stream is closed if its only reader %s before the first read', async (_case, go) => {
    const { answers } = setup()
    const { calls, send, emit } = streaming()
    const only = caller()
    const { items } = await answers.stream(cacheable(), only, send, joined)
    await go(items, only)
    expect(calls[0]?.signal.aborted).toBe(true)
    emit('one')
    await answers.stream(cacheable(), caller(), send, joined)
    expect(calls).toHaveLength(2)
  })

  test('a cached stream is not stored after all readers have canceled, even if one continues to read', async () => {
    const { answers, cache } = setup()
    const { send, emit } = streaming()
    const only = caller()
    const { items } = await answers.stream(cacheable(), only, send, joined)
    const reader = items[Symbol.asyncIterator]()
    emit('one')
    await reader.next()
    only.cancel()
    await expect(reader.next()).rejects.toThrow('canceled')
    await turn()
    expect(cache.texts.size).toBe(0)
  })

  test('a cached stream is not affected by a reader that cancels after its end', async () => {
    const { answers } = setup()
    const { calls, send, emit } = streaming()
    const only = caller()
    const { items } = await answers.stream(cacheable(), only, send, joined)
    emit()
    const reader = items[Symbol.asyncIterator]()
    expect(await reader.next()).toMatchObject({ done: true })
    await reader.return?.()
    only.cancel()
    expect(calls[0]?.signal.aborted).toBe(false)
  })

  test('a cached stream fails for all readers if it breaks off, and is not stored', async () => {
    const { answers, cache } = setup()
    const { send, emit, failStream } = streaming()
    const streams = [
      await answers.stream(cacheable(), caller(), send, joined),
      await answers.stream(cacheable(), caller(), send, joined),
    ]
    const ends = Promise.allSettled(streams.map(({ items }) => collect(items)))
    emit('one')
    await turn()
    failStream(new Error('cut'))
    expect((await ends).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    await turn()
    expect(cache.texts.size).toBe(0)
    const { send: sendAgain, calls } = streaming()
    await answers.stream(cacheable(), caller(), sendAgain, joined)
    expect(calls).toHaveLength(1)
  })

  test('a cached stream is read at the pace of its fastest reader', async () => {
    const { answers } = setup()
    let made = 0
    async function* endless() {
      while (true) yield `${++made}`
    }
    const send = async () => ({ target, items: endless() })
    const { items } = await answers.stream(cacheable(), caller(), send, joined)
    const reader = items[Symbol.asyncIterator]()
    await reader.next()
    await reader.next()
    await turn()
    expect(made).toBe(2)
  })
})
