import { readFileSync, writeFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { testCore } from '@fairlead/testing'
import { restAdapter } from '@fairlead/rest-adapter'
import { describe, expect, onTestFinished, test } from 'vitest'
import { dashboardPages } from './dashboard.ts'
import { temporaryFolder } from './testing/run-main.ts'
import { serveApp } from './testing/serve-app.ts'

const script = readFileSync(join(import.meta.dirname, 'testing/built-dashboard/assets/index-1a2b3c4d.js'), 'utf8')

describe('GET /', () => {
  test('GET / sends a browser to the dashboard, and tells others about the service', async () => {
    const { ask } = await serveApp()
    const accept = 'text/html,application/xhtml+xml,*/*;q=0.8'
    const browser = await ask('/', { headers: { accept }, redirect: 'manual' })
    expect(browser.status).toBe(302)
    expect(browser.headers.get('location')).toBe('/dashboard')
    expect(browser.headers.get('vary')).toContain('Accept')
    const program = await ask('/', { headers: { accept: '*/*' } })
    expect(program.headers.get('content-type')).toContain('application/json')
    expect(program.headers.get('vary')).toContain('Accept')
  })
})

describe('GET /dashboard', () => {
  test.for(['/dashboard', '/dashboard/', '/dashboard/api-keys', '/dashboard/requests/req_1', '/dashboard/a/b/c'])(
    'GET /dashboard loads its script from the same directory when opened at %s',
    async (path) => {
      const { url, ask } = await serveApp()
      const page = await (await ask(path)).text()
      const [, address = ''] = /src="([^"]+)"/.exec(page) ?? []
      expect(new URL(address, url + path).pathname).toBe('/dashboard/assets/index-1a2b3c4d.js')
      // A proxy may add a path.
      expect(new URL(address, `https://example.com/ai${path}`).pathname).toBe('/ai/dashboard/assets/index-1a2b3c4d.js')
    },
  )

  test('GET /dashboard has a policy that allows nothing inline and nothing from elsewhere', async () => {
    const { ask } = await serveApp()
    const policy = (await ask('/dashboard')).headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'")
    expect(policy).toContain("require-trusted-types-for 'script'")
    expect(policy).not.toMatch(/unsafe|https?:|\*/)
  })

  test('GET /dashboard lets caches keep files with a hash in their name, and not the page', async () => {
    const { ask } = await serveApp()
    expect((await ask('/dashboard')).headers.get('cache-control')).toBe('no-cache')
    const file = await ask('/dashboard/assets/index-1a2b3c4d.js')
    expect(file.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(file.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(await file.text()).toBe(script)
  })

  test('GET /dashboard serves no file outside the build', async () => {
    const { ask } = await serveApp()
    for (const path of ['assets/missing.js', 'assets/..%2findex.html', 'assets/']) {
      expect((await ask(`/dashboard/${path}`)).status).toBe(404)
    }
  })

  test('GET /dashboard answers 405 to other methods, and counts all pages as one route', async () => {
    const { ask, lines } = await serveApp()
    expect((await ask('/dashboard/api-keys', { method: 'POST' })).status).toBe(405)
    await (await ask('/dashboard/api-keys')).text()
    await expect.poll(() => lines.filter((line) => line.includes('"route":"/dashboard/{+name}"')).length).toBe(2)
  })

  test('GET /dashboard sends the file that was compressed by the build', async () => {
    const root = temporaryFolder()
    mkdirSync(join(root, 'assets'))
    writeFileSync(join(root, 'assets', 'index-1.js'), script)
    writeFileSync(join(root, 'assets', 'index-1.js.br'), brotliCompressSync('// compressed'))
    const url = await serve(root)
    const accepting = await fetch(`${url}/dashboard/assets/index-1.js`, { headers: { 'accept-encoding': 'br' } })
    expect(accepting.headers.get('content-encoding')).toBe('br')
    expect(accepting.headers.get('content-type')).toContain('javascript')
    expect(await accepting.text()).toBe('// compressed')
    const plain = await fetch(`${url}/dashboard/assets/index-1.js`, { headers: { 'accept-encoding': 'identity' } })
    expect(await plain.text()).toBe(script)
    expect(plain.headers.get('vary')).toBe('Accept-Encoding')
  })

  test('GET /dashboard answers 503 with the page that a build leaves, until the dashboard is there', async () => {
    const root = temporaryFolder()
    writeFileSync(join(root, 'unavailable.html'), 'The dashboard is being built.')
    const url = await serve(root)
    const early = await fetch(`${url}/dashboard/api-keys`)
    expect([early.status, early.headers.get('retry-after'), await early.text()]).toEqual([
      503,
      '2',
      'The dashboard is being built.',
    ])
    expect(early.headers.get('content-type')).toBe('text/html; charset=utf-8')
    writeFileSync(join(root, 'index.html'), 'the dashboard')
    const later = await fetch(`${url}/dashboard/api-keys`)
    expect([later.status, later.headers.get('retry-after'), await later.text()]).toEqual([200, null, 'the dashboard'])
  })

  test('GET /dashboard says how to build the dashboard if it is not built', async () => {
    const url = await serve(temporaryFolder())
    const response = await fetch(`${url}/dashboard`)
    expect(await response.text()).toContain('npm run build')
  })
})

/** Serves the pages alone, from a directory. */
async function serve(root: string): Promise<string> {
  const { core } = await testCore()
  const rest = restAdapter(core, { service: { name: 'Fairlead', version: '1.2.3' }, pages: dashboardPages(root) })
  const server = createServer(rest).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
