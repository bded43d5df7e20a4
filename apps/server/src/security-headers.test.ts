import type { ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createServer } from './http-server.ts'

/** The headers of an answer, however it is written. */
async function answered(write: (response: ServerResponse) => void): Promise<Response> {
  const { server } = createServer((_request, response) => write(response), { isSecure: false })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
}

const policy = "default-src 'self'"
const ways: readonly [string, (response: ServerResponse) => void][] = [
  ['an object', (response) => response.writeHead(202, { 'Content-Security-Policy': policy, 'X-Own': '1' }).end()],
  ['a list', (response) => response.writeHead(202, ['content-security-policy', policy, 'X-Own', '1']).end()],
  [
    'words and an object',
    (response) => response.writeHead(202, 'Taken', { 'content-security-policy': policy, 'X-Own': 1 }).end(),
  ],
  [
    'setting them before',
    (response) => {
      response.statusCode = 202
      response.setHeader('CONTENT-SECURITY-POLICY', policy)
      response.setHeader('X-Own', '1')
      response.end()
    },
  ],
  [
    'setting some before',
    (response) => response.setHeader('X-Own', '1').writeHead(202, { 'Content-Security-Policy': policy }).end(),
  ],
]

describe('a response that sets headers with', () => {
  test.each(ways)('%s has those and the headers of helmet', async (_way, write) => {
    const { status, headers } = await answered(write)
    expect(status).toBe(202)
    expect(headers.get('x-own')).toBe('1')
    expect(headers.get('content-security-policy')).toBe(policy)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('x-frame-options')).toBe('SAMEORIGIN')
  })
})

test('a response without headers has those of helmet and its status message', async () => {
  const { statusText, headers } = await answered((response) => response.writeHead(200, 'Fine').end())
  expect(statusText).toBe('Fine')
  expect(headers.get('content-security-policy')).toBe("default-src 'none';frame-ancestors 'none'")
})
