import { describe, expect, test } from 'vitest'
import { createKeyring, keyringCipher } from '../../runtime/keyring.ts'
import { type FakeCache, fakeCache } from '../../testing/fake-cache.ts'
import { scripted } from '../../testing/fake-providers.ts'
import { testClock } from '../../testing/test-clock.ts'
import { type ResponseCache, type CachedCall, createResponseCache, type ItemForm } from './response-cache.ts'
import type { CacheableRequest } from './cache-entries.ts'
import type { RoutedCall } from '../routing/attempts.ts'
import type { Target } from '../routing/route.ts'

const target: Target = { provider: scripted('calm', 'hello'), id: 'any' }
const ttlMs = 60_000

function cacheable(facts: Partial<CacheableRequest<Target>> = {}): CacheableRequest<Target> {
  return {
    account: 'usr_1',
    operation: 'generate',
    route: { targets: [target], cache: { ttlMs } },
    request: { prompt: 'a secret plan', temperature: 0.7 },
    repeatable: true,
    ...facts,
  }
}

interface Caller extends CachedCall {
  readonly notes: readonly unknown[]
  leave(): void
}

function caller(): Caller {
  const controller = new AbortController()
  const notes: unknown[] = []
  return {
    requestId: 'req_1',
    signal: controller.signal,
    notes,
    note: (facts) => void notes.push(facts),
    leave: () => controller.abort(new Error('left')),
  }
}

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
  const calls: RoutedCall[] = []
  const ask = async (call: RoutedCall) => {
    calls.push(call)
    return { target, answer: `answer ${calls.length}` }
  }
  return { calls, ask }
}

/** Responds when the test says so. */
function waiting() {
  const calls: RoutedCall[] = []
  const { promise, resolve, reject } = Promise.withResolvers<{ readonly target: Target; readonly answer: string }>()
  const ask = (call: RoutedCall) => {
    calls.push(call)
    return promise
  }
  return { calls, ask, answer: (answer: string) => resolve({ target, answer }), fail: reject }
}

/** Runs all pending microtasks. */
const turn = () => new Promise<void>((resolve) => void setImmediate(resolve))

describe('the response cache', () => {
  test('returns the response to an identical request of the same account without an attempt', async () => {
    const { answers } = setup()
    const { ask } = counting()
    const [first, second] = [caller(), caller()]
    expect(await answers.attempt(cacheable(), first, ask)).toMatchObject({ answer: 'answer 1', cached: false })
    await turn()
    expect(await answers.attempt(cacheable(), second, ask)).toMatchObject({ answer: 'answer 1', target, cached: true })
    expect(second.notes).toEqual([{ provider: 'calm', attempts: 0, cached: true }])
  })

  test.each<[string, Partial<CacheableRequest<Target>>]>([
    ['another account', { account: 'usr_2' }],
    ['another operation', { operation: 'analyze' }],
    ['another request', { request: { prompt: 'a secret plan', temperature: 0.8 } }],
    ['a route with other targets', { route: { targets: [target, { ...target, id: 'b' }], cache: { ttlMs } } }],
    ['a request that bypasses the cache', { repeatable: false }],
    ['a route without caching', { route: { targets: [target] } }],
  ])('does not return it to %s', async (_, facts) => {
    const { answers } = setup()
    const { calls, ask } = counting()
    await answers.attempt(cacheable(), caller(), ask)
    await turn()
    expect(await answers.attempt(cacheable(facts), caller(), ask)).toMatchObject({ answer: 'answer 2' })
    expect(calls).toHaveLength(2)
  })

  test.each<[string, Partial<CacheableRequest<Target>>]>([
    ['the caller does not want it', { repeatable: false }],
    ['the route does not say for how long', { route: { targets: [target] } }],
  ])('does not store the response if %s', async (_, facts) => {
    const { answers, cache } = setup()
    await answers.attempt(cacheable(facts), caller(), counting().ask)
    await turn()
    expect(cache.texts.size).toBe(0)
  })

  test('expires the response after the TTL of the route', async () => {
    const { answers, clock } = setup()
    const { ask } = counting()
    await answers.attempt(cacheable(), caller(), ask)
    await turn()
    clock.advance(ttlMs - 1)
    expect(await answers.attempt(cacheable(), caller(), ask)).toMatchObject({ answer: 'answer 1' })
    clock.advance(1)
    expect(await answers.attempt(cacheable(), caller(), ask)).toMatchObject({ answer: 'answer 2' })
  })

  test('calls the provider again if the stored response is no longer valid', async () => {
    const { answers } = setup()
    const { ask } = counting()
    await answers.attempt(cacheable(), caller(), ask)
    await turn()
    const gone = async () => false
    expect(await answers.attempt(cacheable(), caller(), ask, gone)).toMatchObject({ answer: 'answer 2', cached: false })
  })

  test('ignores a cache that throws synchronously', async () => {
    const broken = () => {
      throw new Error('broken')
    }
    const { answers } = setup(() => ({ get: broken, set: broken }))
    const { ask } = counting()
    expect(await answers.attempt(cacheable(), caller(), ask)).toMatchObject({ answer: 'answer 1', cached: false })
    expect(await answers.attempt(cacheable(), caller(), ask)).toMatchObject({ answer: 'answer 2', cached: false })
  })

  test('treats null from the cache as a miss', async () => {
    const { answers } = setup(() => ({ get: async () => null as unknown as undefined }))
    expect(await answers.attempt(cacheable(), caller(), counting().ask)).toMatchObject({ answer: 'answer 1' })
  })

  test('ignores a cache that is unavailable', async () => {
    const away = async () => Promise.reject(new Error('away'))
    const { answers } = setup(() => ({ get: away, set: away }))
    const { ask } = counting()
    expect(await answers.attempt(cacheable(), caller(), ask)).toMatchObject({ answer: 'answer 1' })
    await turn()
    expect(await answers.attempt(cacheable(), caller(), ask)).toMatchObject({ answer: 'answer 2' })
  })

  test('does not wait until the response is stored', async () => {
    const { answers } = setup(() => ({ set: () => new Promise(() => {}) }))
    expect(await answers.attempt(cacheable(), caller(), counting().ask)).toMatchObject({ answer: 'answer 1' })
  })
})

function otherThan(text: string): string {
  return text.slice(0, 40) + (text[40] === 'A' ? 'B' : 'A') + text.slice(41)
}

describe('a cache entry', () => {
  test('has a key that begins with the account, and reveals neither request nor response', async () => {
    const { answers, cache } = setup()
    await answers.attempt(cacheable(), caller(), counting().ask)
    await turn()
    const [[name, text] = []] = cache.texts
    expect(name).toMatch(/^usr_1:[\w-]{43}$/)
    expect(Buffer.from(text ?? '', 'base64').toString('latin1')).not.toMatch(/secret|answer/)
  })

  test.each<[string, (cache: FakeCache, name: string) => void]>([
    ['was tampered with', (cache, name) => cache.texts.set(name, otherThan(cache.texts.get(name) ?? ''))],
    ['is nothing of ours', (cache, name) => cache.texts.set(name, '{}')],
    [
      'was put there for another question',
      (cache, name) => cache.texts.set(name, [...cache.texts].find(([other]) => other !== name)?.[1] ?? ''),
    ],
  ])('is a miss if it %s', async (_, harm) => {
    const { answers, cache } = setup()
    const { ask } = counting()
    await answers.attempt(cacheable(), caller(), ask)
    await turn()
    const [name = ''] = cache.texts.keys()
    await answers.attempt(cacheable({ account: 'usr_2' }), caller(), ask)
    await turn()
    harm(cache, name)
    expect(await answers.attempt(cacheable(), caller(), ask)).toMatchObject({ answer: 'answer 3' })
  })
})

describe('identical requests in flight', () => {
  test('share one call, which only the first one pays for', async () => {
    const { answers } = setup()
    const { calls, ask, answer } = waiting()
    const all = Array.from({ length: 5 }, () => answers.attempt(cacheable(), caller(), ask))
    await turn()
    answer('once')
    expect((await Promise.all(all)).map(({ cached }) => cached)).toEqual([false, true, true, true, true])
    expect(calls).toHaveLength(1)
  })

  test('continue when one of them is cancelled, even the first', async () => {
    const { answers } = setup()
    const { calls, ask, answer } = waiting()
    const [first, second] = [caller(), caller()]
    const replies = [answers.attempt(cacheable(), first, ask), answers.attempt(cacheable(), second, ask)]
    await turn()
    first.leave()
    await expect(replies[0]).rejects.toThrow('left')
    expect(calls[0]?.signal.aborted).toBe(false)
    answer('worth waiting for')
    expect(await replies[1]).toMatchObject({ answer: 'worth waiting for' })
  })

  test('are cancelled when all clients have cancelled, and the next request starts anew', async () => {
    const { answers } = setup()
    const { calls, ask } = waiting()
    const [first, second] = [caller(), caller()]
    const replies = [answers.attempt(cacheable(), first, ask), answers.attempt(cacheable(), second, ask)]
    await turn()
    first.leave()
    second.leave()
    await Promise.allSettled(replies)
    expect(calls[0]?.signal.aborted).toBe(true)
    expect(await answers.attempt(cacheable(), caller(), counting().ask)).toMatchObject({ cached: false })
  })

  test('record the call for each client that cancels after a provider was called', async () => {
    const { answers } = setup()
    const [first, second, third] = [caller(), caller(), caller()]
    const { calls, ask } = waiting()
    const replies = [first, second, third].map((each) => answers.attempt(cacheable(), each, ask))
    await turn()
    first.leave()
    await expect(replies[0]).rejects.toThrow('left')
    expect(first.notes).toEqual([])
    calls[0]?.note({ provider: 'calm', attempts: 1 })
    second.leave()
    third.leave()
    await expect(Promise.all(replies.slice(1))).rejects.toThrow('left')
    const asked = [{ provider: 'calm', attempts: 1 }]
    expect([second.notes, third.notes]).toEqual([asked, asked])
  })

  test('fail together, and the failure is not stored', async () => {
    const { answers, cache } = setup()
    const { ask, fail } = waiting()
    const replies = [answers.attempt(cacheable(), caller(), ask), answers.attempt(cacheable(), caller(), ask)]
    await turn()
    fail(new Error('busy'))
    expect((await Promise.allSettled(replies)).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(cache.texts.size).toBe(0)
    expect(await answers.attempt(cacheable(), caller(), counting().ask)).toMatchObject({ answer: 'answer 1' })
  })

  test('are not shared between accounts', async () => {
    const { answers } = setup()
    const { calls, ask, answer } = waiting()
    const accounts = ['usr_1', 'usr_2']
    const replies = accounts.map((account) => answers.attempt(cacheable({ account }), caller(), ask))
    await turn()
    answer('each its own')
    await Promise.all(replies)
    expect(calls).toHaveLength(2)
  })
})

const joined: ItemForm<string, string> = { toAnswer: (items) => items.join(''), toItems: (answer) => [answer] }

/** Streams each word when the test says so. */
function speaking() {
  const calls: RoutedCall[] = []
  let ended = false
  const words: PromiseWithResolvers<string | undefined>[] = [Promise.withResolvers()]
  async function* speak() {
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
  const say = (word?: string) => {
    const said = words.at(-1)
    words.push(Promise.withResolvers())
    said?.resolve(word)
  }
  const ask = async (call: RoutedCall) => {
    calls.push(call)
    return { target, items: speak() }
  }
  const breakOff = (error: Error) => words.at(-1)?.reject(error)
  return { calls, ask, say, breakOff, ended: () => ended }
}

async function heard(items: AsyncIterable<string>): Promise<readonly string[]> {
  const found: string[] = []
  for await (const item of items) found.push(item)
  return found
}

describe('a cached stream', () => {
  test('is stored when complete, and returned as a stream or as a whole', async () => {
    const { answers } = setup()
    const { ask, say } = speaking()
    const first = await answers.stream(cacheable(), caller(), ask, joined)
    for (const word of ['hello ', 'there', undefined]) say(word)
    expect(await heard(first.items)).toEqual(['hello ', 'there'])
    await turn()
    const second = await answers.stream(cacheable(), caller(), ask, joined)
    expect([first.cached, second.cached]).toEqual([false, true])
    expect(await heard(second.items)).toEqual(['hello there'])
    expect(await answers.attempt(cacheable(), caller(), counting().ask)).toMatchObject({ answer: 'hello there' })
  })

  test('is read from its beginning by a request that joins later', async () => {
    const { answers } = setup()
    const { calls, ask, say } = speaking()
    const first = await answers.stream(cacheable(), caller(), ask, joined)
    const heardFirst = heard(first.items)
    say('one ')
    await turn()
    const second = await answers.stream(cacheable(), caller(), ask, joined)
    const heardSecond = heard(second.items)
    say('two')
    say()
    expect(await Promise.all([heardFirst, heardSecond])).toEqual([
      ['one ', 'two'],
      ['one ', 'two'],
    ])
    expect(calls).toHaveLength(1)
  })

  test('continues when one reader cancels', async () => {
    const { answers } = setup()
    const { calls, ask, say } = speaking()
    const [first, second] = [caller(), caller()]
    const heardFirst = heard((await answers.stream(cacheable(), first, ask, joined)).items)
    const heardSecond = heard((await answers.stream(cacheable(), second, ask, joined)).items)
    say('one')
    await turn()
    first.leave()
    await expect(heardFirst).rejects.toThrow('left')
    expect(calls[0]?.signal.aborted).toBe(false)
    say()
    expect(await heardSecond).toEqual(['one'])
  })

  test('is closed when all readers have cancelled, and not stored', async () => {
    const { answers, cache } = setup()
    const { calls, ask, say, ended } = speaking()
    const { items } = await answers.stream(cacheable(), caller(), ask, joined)
    say('one')
    for await (const item of items) {
      expect(item).toBe('one')
      break
    }
    await turn()
    expect([calls[0]?.signal.aborted, ended(), cache.texts.size]).toEqual([true, true, 0])
  })

  test.each<[string, (items: AsyncIterable<string>, only: Caller) => unknown]>([
    ['leaves', (_items, only) => only.leave()],
    ['closes it', (items) => items[Symbol.asyncIterator]().return?.()],
  ])('is closed if its only reader %s before the first read', async (_case, go) => {
    const { answers } = setup()
    const { calls, ask, say } = speaking()
    const only = caller()
    const { items } = await answers.stream(cacheable(), only, ask, joined)
    await go(items, only)
    expect(calls[0]?.signal.aborted).toBe(true)
    say('one')
    await answers.stream(cacheable(), caller(), ask, joined)
    expect(calls).toHaveLength(2)
  })

  test('is not stored after all readers have cancelled, even if one continues to read', async () => {
    const { answers, cache } = setup()
    const { ask, say } = speaking()
    const only = caller()
    const { items } = await answers.stream(cacheable(), only, ask, joined)
    const reader = items[Symbol.asyncIterator]()
    say('one')
    await reader.next()
    only.leave()
    await expect(reader.next()).rejects.toThrow('left')
    await turn()
    expect(cache.texts.size).toBe(0)
  })

  test('is not affected by a reader that cancels after its end', async () => {
    const { answers } = setup()
    const { calls, ask, say } = speaking()
    const only = caller()
    const { items } = await answers.stream(cacheable(), only, ask, joined)
    say()
    const reader = items[Symbol.asyncIterator]()
    expect(await reader.next()).toMatchObject({ done: true })
    await reader.return?.()
    only.leave()
    expect(calls[0]?.signal.aborted).toBe(false)
  })

  test('fails for all readers if it breaks off, and is not stored', async () => {
    const { answers, cache } = setup()
    const { ask, say, breakOff } = speaking()
    const streams = [
      await answers.stream(cacheable(), caller(), ask, joined),
      await answers.stream(cacheable(), caller(), ask, joined),
    ]
    const ends = Promise.allSettled(streams.map(({ items }) => heard(items)))
    say('one')
    await turn()
    breakOff(new Error('cut'))
    expect((await ends).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    await turn()
    expect(cache.texts.size).toBe(0)
    const { ask: askAgain, calls } = speaking()
    await answers.stream(cacheable(), caller(), askAgain, joined)
    expect(calls).toHaveLength(1)
  })

  test('is read at the pace of its fastest reader', async () => {
    const { answers } = setup()
    let made = 0
    async function* endless() {
      while (true) yield `${++made}`
    }
    const ask = async () => ({ target, items: endless() })
    const { items } = await answers.stream(cacheable(), caller(), ask, joined)
    const reader = items[Symbol.asyncIterator]()
    await reader.next()
    await reader.next()
    await turn()
    expect(made).toBe(2)
  })
})
