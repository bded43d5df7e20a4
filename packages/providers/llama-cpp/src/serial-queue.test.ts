import { describe, expect, test } from 'vitest'
import { SerialQueue } from './serial-queue.ts'

const patient = new AbortController().signal

/** Work that ends when it is told to. */
function work() {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { run: () => promise, end: resolve }
}

describe('SerialQueue', () => {
  test('SerialQueue runs one call at a time, in order of arrival', async () => {
    const queue = new SerialQueue()
    const order: string[] = []
    const first = work()
    const calls = [
      queue.run(patient, first.run),
      queue.run(patient, async () => void order.push('second')),
      queue.run(patient, async () => void order.push('third')),
    ]
    await new Promise(setImmediate)
    expect(order).toEqual([])
    first.end()
    await Promise.all(calls)
    expect(order).toEqual(['second', 'third'])
  })

  test('SerialQueue runs the next call after one that failed', async () => {
    const queue = new SerialQueue()
    await expect(queue.run(patient, () => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
    await expect(queue.run(patient, async () => 'done')).resolves.toBe('done')
  })

  test('SerialQueue removes aborted calls from the queue', async () => {
    const queue = new SerialQueue()
    const first = work()
    const running = queue.run(patient, first.run)
    const impatient = new AbortController()
    const waiting = queue.run(impatient.signal, () => Promise.reject(new Error('was run')))
    impatient.abort(new Error('left'))
    await expect(waiting).rejects.toThrow('left')
    const next = queue.run(patient, async () => 'done')
    first.end()
    await running
    await expect(next).resolves.toBe('done')
  })

  test('SerialQueue reports when no call is running', async () => {
    const queue = new SerialQueue()
    await queue.idle()
    const first = work()
    const running = queue.run(patient, first.run)
    let isIdle = false
    const watch = queue.idle().then(() => (isIdle = true))
    await new Promise(setImmediate)
    expect(isIdle).toBe(false)
    first.end()
    await Promise.all([running, watch])
    expect(isIdle).toBe(true)
  })
})
