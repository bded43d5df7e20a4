import { once } from 'node:events'
import { connect } from 'node:net'
import { scripted } from '@fairlead/core/testing'
import { describe, expect, onTestFinished, test } from 'vitest'
import { serve } from './testing/serve.ts'

describe('a body', () => {
  test.each(['application/json', 'multipart/mixed'])('that breaks off is no defect of ours: %s', async (accept) => {
    const { url, caller, answers, logged } = await serve()
    const { port, hostname } = new URL(url)
    const socket = connect(Number(port), hostname)
    socket.write(
      `POST /graphql HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nAccept: ${accept}\r\n` +
        `Authorization: Bearer ${caller.token}\r\nContent-Length: 100\r\nExpect: 100-continue\r\n\r\n{"query"`,
    )
    await new Promise((resolve) => socket.once('data', resolve))
    socket.destroy()
    await expect.poll(() => answers).toMatchObject([{ aborted: true }])
    await new Promise(setImmediate)
    expect(logged).toEqual([])
  })
})

// The first is answered without yoga, the other through it.
describe.each(['application/json', 'application/json;q=1'])('an answer that nobody reads: %s', (accept) => {
  test('is given up after 30 seconds', async () => {
    const { url, caller, answers, clock } = await serve({ providers: [scripted('calm', 'x'.repeat(7_900_000))] })
    const { port, hostname } = new URL(url)
    const body = JSON.stringify({ query: 'mutation { generate(input: { model: "any", prompt: "a" }) { content } }' })
    const socket = connect(Number(port), hostname)
    onTestFinished(() => void socket.destroy())
    socket.on('error', () => {})
    socket.write(
      `POST /graphql HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nAccept: ${accept}\r\n` +
        `Authorization: Bearer ${caller.token}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    )
    // What came first is left unread.
    await once(socket, 'readable')
    const later = () => {
      clock.advance(30_000)
      return answers
    }
    await expect.poll(later).toMatchObject([{ aborted: true }])
  })
})
