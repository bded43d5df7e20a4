import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { probeAddress } from './choose-providers.ts'

async function serve(listener: RequestListener): Promise<{ readonly url: string; close(): void }> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () => {
    server.close()
    server.closeAllConnections()
  }
  onTestFinished(close)
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/version`, close }
}

describe('probeAddress', () => {
  test.each([
    [200, true],
    [404, false],
    [302, false],
  ])('an address that answers %s counts as %s for probeAddress', async (status, expected) => {
    const { url } = await serve((_request, response) => response.writeHead(status, { location: '/' }).end())
    expect(await probeAddress(url)).toBe(expected)
  })

  test('probeAddress returns false where nothing listens', async () => {
    const { url, close } = await serve(() => {})
    close()
    expect(await probeAddress(url)).toBe(false)
  })

  test('probeAddress returns false after a moment without a response', async () => {
    const { url } = await serve(() => {})
    expect(await probeAddress(url)).toBe(false)
  })
})
