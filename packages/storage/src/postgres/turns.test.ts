import { expect, describe, test } from 'vitest'
import { createTurns } from './turns.ts'

/** Work that ends when the test says so. */
function heldWork() {
  const started: string[] = []
  const ends = new Map<string, { resolve(): void; reject(error: Error): void }>()
  const inTurn = createTurns()
  const run = (queue: string, name: string) =>
    inTurn(queue, () => {
      started.push(name)
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      ends.set(name, { resolve, reject })
      return promise
    })
  return {
    run,
    started,
    end: (name: string) => ends.get(name)?.resolve(),
    fail: (name: string) => ends.get(name)?.reject(new Error(name)),
  }
}

describe('createTurns', () => {
  test('createTurns runs the work of a queue one after another, and that of others at once', async () => {
    const { run, started, end } = heldWork()
    const first = run('a', 'one')
    const second = run('a', 'two')
    void run('b', 'other')
    expect(started).toEqual(['one', 'other'])
    end('one')
    await first
    await expect.poll(() => started).toEqual(['one', 'other', 'two'])
    end('two')
    await second
    void run('a', 'three')
    expect(started).toEqual(['one', 'other', 'two', 'three'])
  })

  test('createTurns rejects only the work that fails', async () => {
    const { run, started, end, fail } = heldWork()
    const first = run('a', 'one')
    const second = run('a', 'two')
    fail('one')
    await expect(first).rejects.toThrow('one')
    await expect.poll(() => started).toEqual(['one', 'two'])
    end('two')
    await second
  })
})
