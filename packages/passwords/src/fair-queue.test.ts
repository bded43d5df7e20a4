import { describe, expect, test } from 'vitest'
import { fairQueue } from './argon2-passwords.ts'

/** A queue whose work ends when the test says so. */
function testQueue({ concurrency, maxWaiting }: { readonly concurrency: number; readonly maxWaiting: number }) {
  const inTurn = fairQueue(concurrency, maxWaiting)
  const started: string[] = []
  const running: (() => void)[] = []
  const rejected: string[] = []
  function enqueue(share: string, name = share): void {
    inTurn(share, () => {
      started.push(name)
      return new Promise<void>((resolve) => running.push(resolve))
    }).catch((error: { code: string }) => rejected.push(`${name} ${error.code}`))
  }
  async function endOne(): Promise<void> {
    running.shift()?.()
    await new Promise(setImmediate)
  }
  return { enqueue, endOne, started, rejected, settle: () => new Promise(setImmediate) }
}

describe('fairQueue', () => {
  test('fairQueue lets a newcomer in when another share fills the queue, and rejects the newest entry of that share', async () => {
    const { enqueue, started, rejected, settle } = testQueue({ concurrency: 1, maxWaiting: 3 })
    for (const name of ['a0', 'a1', 'a2', 'a3']) enqueue('a', name)
    enqueue('b')
    await settle()
    expect(started).toEqual(['a0'])
    expect(rejected).toEqual(['a3 SERVICE_UNAVAILABLE'])
  })

  test('fairQueue takes turns between the shares, and keeps the order within each', async () => {
    const { enqueue, endOne, started } = testQueue({ concurrency: 1, maxWaiting: 10 })
    for (const name of ['a0', 'a1', 'a2', 'a3']) enqueue('a', name)
    for (const name of ['b1', 'b2']) enqueue('b', name)
    enqueue('c', 'c1')
    for (let n = 0; n < 7; n++) await endOne()
    expect(started).toEqual(['a0', 'b1', 'c1', 'a1', 'b2', 'a2', 'a3'])
  })

  test('fairQueue rejects work of the share that waits with the most, also when it is the newcomer', async () => {
    const { enqueue, rejected, settle } = testQueue({ concurrency: 1, maxWaiting: 4 })
    for (const name of ['a0', 'a1', 'a2']) enqueue('a', name)
    for (const name of ['b1', 'b2', 'b3']) enqueue('b', name)
    await settle()
    expect(rejected).toEqual(['b3 SERVICE_UNAVAILABLE'])
  })

  test('fairQueue rejects a newcomer when every share waits with one entry', async () => {
    const { enqueue, rejected, settle } = testQueue({ concurrency: 1, maxWaiting: 2 })
    for (const share of ['a', 'b', 'c', 'd']) enqueue(share)
    await settle()
    expect(rejected).toEqual(['d SERVICE_UNAVAILABLE'])
  })

  test('fairQueue runs as much at once as its concurrency, also after a share was emptied by rejections', async () => {
    const { enqueue, endOne, settle, started } = testQueue({ concurrency: 2, maxWaiting: 2 })
    for (const name of ['a0', 'a1', 'a2', 'a3']) enqueue('a', name)
    enqueue('b')
    await settle()
    expect(started).toEqual(['a0', 'a1'])
    for (let n = 0; n < 4; n++) await endOne()
    expect(started).toEqual(['a0', 'a1', 'b', 'a2'])
    for (const name of ['c0', 'c1', 'c2']) enqueue('c', name)
    await settle()
    expect(started.slice(4)).toEqual(['c0', 'c1'])
  })
})
