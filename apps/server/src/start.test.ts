import { connect } from 'node:net'
import type { Provider } from '@fairlead/core/provider'
import { held, fakePainter, scripted } from '@fairlead/testing'
import { describe, expect, onTestFinished, test } from 'vitest'
import { readConfig } from './config.ts'
import { start } from './start.ts'
import { temporaryFolder } from './testing/run-main.ts'

const service = { name: 'Fairlead', version: '1.2.3' }

/** A service that runs as configured, with fakes for providers, until the test ends. */
async function started(
  environment: Readonly<Record<string, string>> = {},
  providers: readonly Provider[] = [scripted('calm', 'hello')],
) {
  const config = readConfig({ PORT: '0', FAIRLEAD_DATA_DIR: temporaryFolder(), ...environment })
  const lines: string[] = []
  const logTo = { write: (line: string) => void lines.push(line) }
  const server = await start(config, { service, logTo, loadProviders: async () => providers, graceMs: 0 })
  let stopped: Promise<void> | undefined
  const stop = () => (stopped ??= server.stop())
  onTestFinished(stop)
  const key = server.firstAdmin?.apiKey ?? ''
  const ask = (path: string, body?: unknown, signal?: AbortSignal) =>
    fetch(server.baseUrl + path, {
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
      ...(signal && { signal }),
    })
  return { ...server, stop, key, ask, lines }
}

describe('a service that was started', () => {
  test('a service that was started returns the port that the operating system chose', async () => {
    const { baseUrl, port, ask } = await started()
    expect(baseUrl).toBe(`http://127.0.0.1:${port}`)
    expect(port).toBeGreaterThan(0)
    expect((await ask('/models')).status).toBe(200)
  })

  test('a service that was started logs what its providers want the operator to know', async () => {
    const { lines } = await started({}, [{ ...scripted('calm', 'hello'), notices: ['something is lost'] }])
    expect(lines.join('')).toMatch(/"provider":"calm".*"msg":"something is lost"/)
  })

  test('a service that was started returns URLs of images that work', async () => {
    const { baseUrl, ask } = await started({}, [fakePainter('brush')])
    const { data } = (await (await ask('/generate/image', { prompt: 'a lake', model: 'picture' })).json()) as {
      data: { url: string }
    }
    expect(data.url.startsWith(`${baseUrl}/images/`)).toBe(true)
    expect((await fetch(data.url)).status).toBe(200)
  })

  test('a service that was started uses the configured base URL', async () => {
    const { baseUrl, port, key } = await started({ FAIRLEAD_BASE_URL: 'https://ai.example.com/' }, [
      fakePainter('brush'),
    ])
    expect(baseUrl).toBe('https://ai.example.com')
    const reply = await fetch(`http://127.0.0.1:${port}/generate/image`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'x-forwarded-host': 'evil.example',
      },
      body: JSON.stringify({ prompt: 'a lake', model: 'picture' }),
    })
    expect(await reply.json()).toMatchObject({
      data: { url: expect.stringMatching(/^https:\/\/ai\.example\.com\/images\/img_\d+\.png$/) },
    })
  })

  test('a service that was started creates an admin only in an empty store', async () => {
    const folder = temporaryFolder()
    const first = await started({ FAIRLEAD_DATA_DIR: folder, FAIRLEAD_ADMIN_EMAIL: 'Ada@example.com' })
    expect(first.firstAdmin).toEqual({
      email: 'Ada@example.com',
      apiKey: expect.stringMatching(/^fl_\w{49}$/),
      signInToken: expect.stringMatching(/^fli_\w{73}$/),
    })
    await first.stop()
    const second = await started({ FAIRLEAD_DATA_DIR: folder })
    expect(second.firstAdmin).toBeUndefined()
  })

  test('a service that was started answers /healthz and fails /readyz while providers load, and keeps other requests waiting', async () => {
    const loading = Promise.withResolvers<void>()
    const slow = { ...scripted('calm', 'hello'), warmUp: () => loading.promise }
    const folder = temporaryFolder()
    const freed = await started()
    await freed.stop()
    const starting = started({ PORT: String(freed.port), FAIRLEAD_DATA_DIR: folder }, [slow])
    const healthz = await untilHeard(() => fetch(`${freed.baseUrl}/healthz`))
    const other = fetch(`${freed.baseUrl}/`)
    const readyz = await fetch(`${freed.baseUrl}/readyz?verbose`, { method: 'HEAD' })
    expect([healthz.status, readyz.status, await healthz.json()]).toEqual([200, 503, { status: 'ok' }])
    expect(healthz.headers.get('x-content-type-options')).toBe('nosniff')
    loading.resolve()
    await starting
    expect((await other).status).toBe(200)
    expect((await fetch(`${freed.baseUrl}/readyz`)).status).toBe(200)
  })

  test('a service that was started serves metrics on FAIRLEAD_METRICS_ADDRESS, and to admins', async () => {
    const { metricsUrl, ask } = await started({ FAIRLEAD_METRICS_ADDRESS: '127.0.0.1:0' })
    expect((await fetch(metricsUrl ?? '')).status).toBe(200)
    expect((await ask('/metrics')).status).toBe(200)
    const without = await started()
    expect(without.metricsUrl).toBeUndefined()
  })

  test('a service that was started fails and frees everything when one of two ports is in use', async () => {
    const other = await started()
    const free = await started()
    await free.stop()
    const environment = { PORT: String(free.port), FAIRLEAD_METRICS_ADDRESS: `127.0.0.1:${other.port}` }
    await expect(started(environment)).rejects.toMatchObject({ code: 'EADDRINUSE' })
    expect((await started({ PORT: String(free.port) })).port).toBe(free.port)
  })

  test('a service that was started aborts the call when the client disconnects', async () => {
    const provider = held('slow')
    const { ask, lines } = await started({}, [provider])
    const leaving = new AbortController()
    const asking = ask('/generate', { prompt: 'x', model: 'any' }, leaving.signal).catch(() => {})
    await expect.poll(() => provider.calls.length).toBe(1)
    leaving.abort()
    await asking
    await expect.poll(() => provider.calls[0]?.signal.aborted).toBe(true)
    await expect.poll(() => lines.map((line) => JSON.parse(line))).toMatchObject([{ aborted: true }])
  })
})

describe('stop', () => {
  test('stop finishes the requests in flight, and accepts no new ones', async () => {
    const provider = held('slow')
    const { ask, stop, port, baseUrl } = await started({}, [provider])
    const asking = ask('/generate', { prompt: 'x', model: 'any' })
    await expect.poll(() => provider.calls.length).toBe(1)
    const stopping = stop()
    await expect.poll(() => refuses(port)).toBe(true)
    provider.release('done at last')
    const reply = await asking
    expect(await reply.json()).toMatchObject({ data: { content: 'done at last' } })
    await stopping
    await expect(fetch(baseUrl)).rejects.toThrow('fetch failed')
  })

  test('stop logs its start and its end', async () => {
    const { stop, lines } = await started()
    await stop()
    expect(lines.map((line) => JSON.parse(line).msg)).toEqual(['draining', 'stopped'])
  })

  test('stop closes idle connections', async () => {
    const { port, stop } = await started()
    const socket = connect(port, '127.0.0.1')
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    await new Promise((resolve) => socket.once('data', resolve))
    const gone = new Promise((resolve) => socket.once('close', resolve))
    await stop()
    expect(await gone).toBe(false)
  })
})

/** Retries until the server listens. */
async function untilHeard(ask: () => Promise<Response>): Promise<Response> {
  for (;;) {
    try {
      return await ask()
    } catch {
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
}

function refuses(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('connect', () => resolve(socket.destroy().connecting))
    socket.on('error', () => resolve(true))
  })
}
