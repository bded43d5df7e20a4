import { describe, expect, test } from 'vitest'
import { createTurns } from './turns.ts'

const patient = new AbortController().signal

describe('createTurns', () => {
  test('runs one call at a time, in order of arrival', async () => {
    const turns = createTurns({ waiting: 2, now: () => 0 })
    const order: string[] = []
    const endFirst = await turns.take(patient)
    const work = async (name: string) => {
      const end = await turns.take(patient)
      order.push(name)
      end()
    }
    const [second, third] = [work('second'), work('third')]
    await Promise.resolve()
    expect(order).toEqual([])
    endFirst()
    await Promise.all([second, third])
    expect(order).toEqual(['second', 'third'])
  })

  test('rejects calls above its limit, with the recent duration of a call', async () => {
    let now = 0
    const turns = createTurns({ waiting: 0, now: () => now })
    const endSlow = await turns.take(patient)
    now = 21_000
    endSlow()
    const end = await turns.take(patient)
    await expect(turns.take(patient)).rejects.toMatchObject({ failure: 'retry', retryAfterMs: 7_000 })
    end()
    await expect(turns.take(patient)).resolves.toBeTypeOf('function')
  })

  test('removes aborted calls from the queue', async () => {
    const turns = createTurns({ waiting: 1, now: () => 0 })
    const end = await turns.take(patient)
    const impatient = new AbortController()
    const waiting = turns.take(impatient.signal)
    impatient.abort(new Error('left'))
    await expect(waiting).rejects.toThrow('left')
    const next = turns.take(patient)
    end()
    await expect(next).resolves.toBeTypeOf('function')
  })

  test('counts a call that ends twice once', async () => {
    const turns = createTurns({ waiting: 2, now: () => 0 })
    const end = await turns.take(patient)
    const second = turns.take(patient)
    let thirdCame = false
    void turns.take(patient).then(() => (thirdCame = true))
    end()
    end()
    await second
    await Promise.resolve()
    expect(thirdCame).toBe(false)
  })

  test('reports when no call is running', async () => {
    const turns = createTurns({ waiting: 1, now: () => 0 })
    await turns.idle()
    const end = await turns.take(patient)
    let idle = false
    const watch = turns.idle().then(() => (idle = true))
    await Promise.resolve()
    expect(idle).toBe(false)
    end()
    await watch
    expect(idle).toBe(true)
  })
})
