import { describe, expect, onTestFinished, test } from 'vitest'
import { type EventRow } from '@fairlead/core/stores'
import { createIds } from '@fairlead/core/adapter'
import { someEvent, testClock, testStores } from '@fairlead/testing'
import { createEventFeed } from './event-feed.ts'

function openFeed() {
  const clock = testClock()
  const stores = testStores({ clock })
  const newId = createIds(clock.now)
  const logged: string[] = []
  const listeners = new Set<() => void>()
  const feed = createEventFeed({
    stores,
    clock,
    log: { warn: (_facts, message) => void logged.push(message), error: () => {} },
    onCommitted(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  })

  async function add(...types: readonly string[]): Promise<readonly string[]> {
    const events = types.map((type) => someEvent(newId, { type }))
    await stores.transact((tx) => tx.events.add(events))
    return events.map(({ id }) => id)
  }

  /** Follows in the background, and returns the ids seen so far. */
  function follow(options: { readonly after?: string; readonly matches?: (event: EventRow) => boolean } = {}) {
    const leaving = new AbortController()
    const seen: string[] = []
    const ended = (async () => {
      const { after, matches = () => true } = options
      for await (const { id } of feed.follow({ after, matches, signal: leaving.signal })) seen.push(id)
    })().catch((error: unknown) => error)
    onTestFinished(() => leaving.abort())
    return { seen, leaving, ended }
  }

  return { clock, stores, feed, add, follow, logged, listeners }
}

const turns = async () => {
  for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate)
}

describe('an event feed', () => {
  test('an event feed yields events of other processes within a quarter of a second', async () => {
    const { add, follow, clock } = openFeed()
    const { seen } = follow()
    await turns()
    const ids = await add('a.b', 'a.c')
    clock.advance(250)
    await turns()
    expect(seen).toEqual(ids)
  })

  test('an event feed yields events of this process at once', async () => {
    const { add, follow, listeners } = openFeed()
    const { seen } = follow()
    await turns()
    const ids = await add('a.b')
    for (const listener of listeners) listener()
    await turns()
    expect(seen).toEqual(ids)
  })

  test('an event feed yields only events that match', async () => {
    const { add, follow, clock } = openFeed()
    const { seen } = follow({ matches: ({ type }) => type === 'a.c' })
    await turns()
    const [, second] = await add('a.b', 'a.c')
    clock.advance(250)
    await turns()
    expect(seen).toEqual([second])
  })

  test('an event feed continues after an event without skipping or repeating one', async () => {
    const { add, follow, clock } = openFeed()
    const [first, ...missed] = await add(...Array.from({ length: 1_201 }, () => 'a.b'))
    const { seen } = follow({ after: first! })
    await turns()
    const later = await add('a.c')
    clock.advance(250)
    await turns()
    expect(seen).toEqual([...missed, ...later])
  })

  test('an event feed does not read while nobody follows', async () => {
    const { follow, listeners } = openFeed()
    const { leaving, ended } = follow()
    await turns()
    expect(listeners.size).toBe(1)
    leaving.abort(new Error('enough'))
    expect(await ended).toEqual(new Error('enough'))
    await turns()
    expect(listeners.size).toBe(0)
  })

  test('an event feed ends a follower that does not read, without delaying others', async () => {
    const { add, feed, follow, clock } = openFeed()
    const leaving = new AbortController()
    onTestFinished(() => leaving.abort())
    const slow = feed.follow({ after: undefined, matches: () => true, signal: leaving.signal })
    const first = slow.next()
    const { seen } = follow()
    await turns()
    await add(...Array.from({ length: 6_000 }, () => 'a.b'))
    clock.advance(250)
    await expect.poll(() => seen.length).toBe(6_000)
    await first
    await expect(slow.next()).rejects.toThrow('The client reads too slowly.')
  })

  test('an event feed repeats no event that was read while a follower began', async () => {
    const { add, follow, listeners } = openFeed()
    follow()
    const [first] = await add('a.b')
    await turns()
    const added = await add('a.b', 'a.c')
    for (const listener of listeners) listener()
    const { seen } = follow({ after: first! })
    await turns()
    expect(seen).toEqual(added)
  })

  test('an event feed logs once that it cannot read, and once that it can again', async () => {
    const { add, follow, clock, stores, logged } = openFeed()
    const { seen } = follow()
    await turns()
    const { read } = stores
    Object.assign(stores, { read: async () => Promise.reject(new Error('unavailable')) })
    for (let poll = 0; poll < 20; poll++) {
      clock.advance(250)
      await turns()
    }
    Object.assign(stores, { read })
    const ids = await add('a.b')
    clock.advance(250)
    await turns()
    expect(seen).toEqual(ids)
    expect(logged).toEqual(['could not read events for streams, retrying', 'could read events for streams again'])
  })

  test('an event feed rejects a start after an event that is not stored', async () => {
    const { feed, add } = openFeed()
    const [id] = await add('a.b')
    await feed.checkStart(id)
    await expect(feed.checkStart('evt_1')).rejects.toThrow('after is not a stored event')
  })
})
