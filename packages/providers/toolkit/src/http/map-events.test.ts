import { polled } from '@fairlead/core/provider'
import { describe, expect, test } from 'vitest'
import { mapEvents } from './map-events.ts'

async function* counting(...numbers: readonly number[]) {
  yield* numbers
}

const twice = { read: (sent: number) => (sent > 0 ? [sent, sent] : []), end: () => [-1] }

describe('mapEvents', () => {
  test('mapEvents yields what the reader makes of each event, and of the end', async () => {
    const seen: number[] = []
    for await (const event of mapEvents(counting(1, 0, 2), twice)) seen.push(event)
    expect(seen).toEqual([1, 1, 2, 2, -1])
  })

  test('mapEvents gives the events of one arrival without waiting', async () => {
    const events = mapEvents(polled(counting(1)), twice)
    expect(events.poll()).toBeUndefined()
    await events.ready()
    expect([events.poll()?.value, events.poll()?.value, events.poll()]).toEqual([1, 1, undefined])
  })

  test('mapEvents fails at the end if the reader finds the events incomplete', async () => {
    const end = () => {
      throw new Error('incomplete')
    }
    const events = mapEvents(counting(1), { ...twice, end })
    expect([(await events.next()).value, (await events.next()).value]).toEqual([1, 1])
    await expect(events.next()).rejects.toThrow('incomplete')
  })

  test('mapEvents closes the events of the upstream, and gives none of those that have arrived', async () => {
    let isClosed = false
    async function* sent() {
      try {
        yield 1
      } finally {
        isClosed = true
      }
    }
    const events = mapEvents(sent(), twice)
    await events.next()
    await events.return()
    expect([isClosed, events.poll()]).toEqual([true, { done: true, value: undefined }])
  })
})
