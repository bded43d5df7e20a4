import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { brotliDecompressSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { serveApp } from './testing/serve-app.ts'

describe('GET /docs', () => {
  test('GET /docs loads all of its files from the service itself', async () => {
    const { url, ask } = await serveApp()
    const page = await (await ask('/docs')).text()
    const needed = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(
      ([, address = '']) => new URL(address, `${url}/docs`),
    )
    expect(needed.length).toBeGreaterThan(4)
    for (const address of needed) {
      expect(address.origin).toBe(url)
      expect((await ask(address.pathname)).status).toBe(200)
    }
  })

  test('GET /docs has a policy that allows nothing from elsewhere', async () => {
    const { ask } = await serveApp()
    const { headers } = await ask('/docs')
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'")
    expect(policy).not.toMatch(/unsafe|https?:|\*/)
    expect(await (await ask('/docs')).text()).not.toMatch(/<script>|<style|style=|\son\w+=/)
  })

  test('GET /docs leaves the policy of other responses as strict as it is', async () => {
    const { ask } = await serveApp()
    expect((await ask('/openapi.json')).headers.get('content-security-policy')).toBe(
      "default-src 'none';frame-ancestors 'none'",
    )
  })

  test('GET /docs is compressed for clients that accept it', async () => {
    const { url } = await serveApp()
    const plain = await raw(url, '/docs/swagger-ui.css', 'identity')
    const packed = await raw(url, '/docs/swagger-ui.css', 'br, gzip')
    expect(plain.encoding).toBeNull()
    expect(packed.encoding).toBe('br')
    expect(plain.bytes.toString()).toContain('swagger-ui')
    expect(brotliDecompressSync(packed.bytes).equals(plain.bytes)).toBe(true)
  })

  test('GET /docs serves no other file of the package', async () => {
    const { ask } = await serveApp()
    expect((await ask('/docs/package.json')).status).toBe(404)
    expect((await ask('/docs/..%2fpackage.json')).status).toBe(404)
  })
})

/** The bytes on the wire, which `fetch` would decompress. */
async function raw(url: string, path: string, accepted: string) {
  const request = get(url + path, { headers: { 'accept-encoding': accepted } })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  return { encoding: response.headers['content-encoding'] ?? null, bytes: Buffer.concat(chunks) }
}
