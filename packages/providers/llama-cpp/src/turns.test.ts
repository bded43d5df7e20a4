import { describe, expect, test } from 'vitest'
import { Turns } from './turns.ts'

const patient = new AbortController().signal

/** Work that ends when it is told to. */
function work() {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { run: () => promise, end: resolve }
}

describe('Turns', () => {
  test('runs one call at a time, in order of arrival', async () => {
    const turns = new Turns()
    const order: string[] = []
    const first = work()
    const calls = [
      turns.run(patient, first.run),
      turns.run(patient, async () => void order.push('second')),
      turns.run(patient, async () => void order.push('third')),
    ]
    await new Promise(setImmediate)
    expect(order).toEqual([])
    first.end()
    await Promise.all(calls)
    expect(order).toEqual(['second', 'third'])
  })

  test('runs the next call after one that failed', async () => {
    const turns = new Turns()
    await expect(turns.run(patient, () => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
    await expect(turns.run(patient, async () => 'done')).resolves.toBe('done')
  })

  test('removes aborted calls from the queue', async () => {
    const turns = new Turns()
    const first = work()
    const running = turns.run(patient, first.run)
    const impatient = new AbortController()
    const waiting = turns.run(impatient.signal, () => Promise.reject(new Error('was run')))
    impatient.abort(new Error('left'))
    await expect(waiting).rejects.toThrow('left')
    const next = turns.run(patient, async () => 'done')
    first.end()
    await running
    await expect(next).resolves.toBe('done')
  })

  test('reports when no call is running', async () => {
    const turns = new Turns()
    await turns.idle()
    const first = work()
    const running = turns.run(patient, first.run)
    let isIdle = false
    const watch = turns.idle().then(() => (isIdle = true))
    await new Promise(setImmediate)
    expect(isIdle).toBe(false)
    first.end()
    await Promise.all([running, watch])
    expect(isIdle).toBe(true)
  })
})
