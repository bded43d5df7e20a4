import { once } from 'node:events'
import { connect } from 'node:net'
import { scripted } from '@fairlead/testing'
import { describe, expect, onTestFinished, test } from 'vitest'
import { serve } from './testing/serve.ts'

describe('a request body', () => {
  test.each(['application/json', 'multipart/mixed'])(
    'a request body is not logged as a bug when the client disconnects: %s',
    async (accept) => {
      const { url, caller, accessLog, logged } = await serve()
      const { port, hostname } = new URL(url)
      const socket = connect(Number(port), hostname)
      socket.write(
        `POST /graphql HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nAccept: ${accept}\r\n` +
          `Authorization: Bearer ${caller.token}\r\nContent-Length: 100\r\nExpect: 100-continue\r\n\r\n{"query"`,
      )
      await new Promise((resolve) => socket.once('data', resolve))
      socket.destroy()
      await expect.poll(() => accessLog).toMatchObject([{ aborted: true, status: 499 }])
      await new Promise(setImmediate)
      expect(logged).toEqual([])
    },
  )
})

// Without yoga, and through it.
describe.each(['application/json', 'application/json;q=1'])(
  'a response that the client does not read: %s',
  (accept) => {
    test('a response that the client does not read is aborted after 30 seconds', async () => {
      const { url, caller, accessLog, clock } = await serve({ providers: [scripted('calm', 'x'.repeat(7_900_000))] })
      const { port, hostname } = new URL(url)
      const body = JSON.stringify({
        query: 'mutation { generate(input: { model: "any", prompt: "a" }) { generation { content } } }',
      })
      const socket = connect(Number(port), hostname)
      onTestFinished(() => void socket.destroy())
      socket.on('error', () => {})
      socket.write(
        `POST /graphql HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nAccept: ${accept}\r\n` +
          `Authorization: Bearer ${caller.token}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      )
      // Leave the first bytes unread.
      await once(socket, 'readable')
      const later = () => {
        clock.advance(30_000)
        return accessLog
      }
      await expect.poll(later).toMatchObject([{ aborted: true }])
    })
  },
)
