import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openTestUpstream } from './test-upstream.ts'

describe('openTestUpstream', () => {
  test('openTestUpstream keeps serving after a client closes the connection during its request', async () => {
    const upstream = await openTestUpstream()
    onTestFinished(() => upstream.close())
    const socket = connect(Number(URL.parse(upstream.url)?.port), '127.0.0.1')
    socket.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\nexpect: 100-continue\r\n\r\nhalf')
    // The server has begun to read: it sent `100 Continue`.
    await once(socket, 'data')
    socket.resetAndDestroy()
    expect((await fetch(upstream.url)).status).toBe(404)
    expect(upstream.requests).toHaveLength(1)
  })
})
