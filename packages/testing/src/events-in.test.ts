import { describe, expect, test } from 'vitest'
import { eventsIn } from './events-in.ts'

describe('eventsIn', () => {
  test('eventsIn parses data that is JSON, and skips comments and an event that was cut off', () => {
    const text =
      ': ping\n\nid: 1\nevent: chunk\ndata: {"content":\ndata: "Hi"}\n\ndata: [DONE]\r\n\r\nevent: cut\ndata: 1'
    expect(eventsIn(text)).toEqual([{ id: '1', event: 'chunk', data: { content: 'Hi' } }, { data: '[DONE]' }])
  })
})
