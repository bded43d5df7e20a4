import { describe, expect, test } from 'vitest'
import { polled } from './polled.ts'

/** Yields what a test sends, and counts what was requested. */
function manual() {
  const waiting: ((item: string) => void)[] = []
  const found = { requests: 0, isClosed: false }
  async function* items() {
    try {
      for (;;) {
        found.requests++
        yield await new Promise<string>((resolve) => waiting.push(resolve))
      }
    } finally {
      found.isClosed = true
    }
  }
  return { items: items(), found, send: (item: string) => waiting.shift()?.(item) }
}

describe('an iterator that is polled', () => {
  test('an iterator that is polled requests an item when its reader waits for it, and not before', async () => {
    const { items, found, send } = manual()
    const reader = polled(items)
    expect([reader.poll(), found.requests]).toEqual([undefined, 0])
    const ready = reader.ready()
    expect([reader.poll(), found.requests]).toEqual([undefined, 1])
    send('one')
    await ready
    expect(reader.poll()).toEqual({ done: false, value: 'one' })
    expect([reader.poll(), found.requests]).toEqual([undefined, 1])
  })

  test('an iterator that is polled is an asynchronous iterator with the same items and end', async () => {
    async function* items() {
      yield 1
      yield 2
      return 'end'
    }
    const reader = polled(items())
    const seen = [await reader.next(), await reader.next(), await reader.next()]
    expect(seen).toEqual([
      { done: false, value: 1 },
      { done: false, value: 2 },
      { done: true, value: 'end' },
    ])
  })

  test.each<[string, AsyncIterator<never>]>([
    ['rejects', { next: () => Promise.reject(new Error('broke off')) }],
    [
      'throws',
      {
        next() {
          throw new Error('broke off')
        },
      },
    ],
  ])('an iterator that is polled throws once from `poll` if the iterator below %s', async (_case, items) => {
    const reader = polled(items)
    await reader.ready()
    expect(() => reader.poll()).toThrow('broke off')
    expect(reader.poll()).toBeUndefined()
  })

  test('an iterator that is polled ends, and wakes its reader, when it is closed', async () => {
    const { items, found, send } = manual()
    const reader = polled(items)
    const next = reader.next()
    const closed = reader.return()
    expect(await next).toEqual({ done: true, value: undefined })
    send('late')
    await closed
    expect([found.isClosed, reader.poll()?.done]).toEqual([true, true])
  })

  test('an iterator that is polled is returned as it is if it can be polled already', () => {
    const reader = polled(manual().items)
    expect(polled(reader)).toBe(reader)
  })
})
