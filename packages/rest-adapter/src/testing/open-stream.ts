import { connect, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import type { Served } from './serve.ts'

export const asked = { prompt: 'greet me', model: 'any', stream: true }

/** Opens a stream on a socket, so that a test controls reading and disconnecting. */
export function openStream(
  { port, caller }: Served,
  path = '/generate',
  fields = {},
): Socket & { readonly received: string } {
  const socket = Object.assign(connect(port, '127.0.0.1'), { received: '' })
  const body = JSON.stringify({ ...asked, ...fields })
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nAuthorization: Bearer ${caller.token}\r\n` +
      `Content-Length: ${body.length}\r\n\r\n${body}`,
  )
  socket.setEncoding('utf8')
  socket.on('data', (text) => (socket.received += text))
  socket.on('error', () => {})
  onTestFinished(() => void socket.destroy())
  return socket
}
