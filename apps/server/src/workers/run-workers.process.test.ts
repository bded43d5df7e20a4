import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { findChildren, runMain, temporaryFolder } from '../testing/run-main.ts'

const soon = { interval: 50 }

/** Receives webhooks. */
async function receiver() {
  let count = 0
  const server = createServer((_request, response) => {
    count++
    response.writeHead(204).end()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close().closeAllConnections())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, count: () => count }
}

describe.runIf(existsSync('/proc/self/task'))('FAIRLEAD_WORKERS=2', () => {
  test('FAIRLEAD_WORKERS=2 serves on one port, replaces a killed worker, and stops as a whole', async () => {
    const server = runMain({ FAIRLEAD_DATA_DIR: temporaryFolder(), FAIRLEAD_WORKERS: '2' })
    const url = await server.url
    const [key = ''] = /fl_\w{49}/.exec(server.firstLogin) ?? []
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const ask = (path: string, init: RequestInit = {}) => fetch(url + path, { ...init, headers })
    const generate = { method: 'POST', body: JSON.stringify({ model: 'mirror', prompt: 'x' }) }
    await expect.poll(() => findChildren(server.pid).length, soon).toBe(2)
    // The port is any: it stays the same while one listens there.
    const [, second = 0] = findChildren(server.pid)
    process.kill(second, 'SIGKILL')
    await expect.poll(() => findChildren(server.pid).filter((pid) => pid !== second).length, soon).toBe(2)
    await expect.poll(() => server.output, soon).toContain('worker exited, starting another')
    await expect.poll(async () => (await ask('/readyz').catch(() => undefined))?.status, soon).toBe(200)
    for (let n = 0; n < 4; n++) expect((await ask('/models')).status).toBe(200)
    for (let n = 0; n < 4; n++) expect((await ask('/generate', generate)).status).toBe(200)
    const metrics = async () => (await (await ask('/metrics')).text()).split('\n')
    await expect
      .poll(metrics, soon)
      .toContain('fairlead_http_requests_total{method="GET",route="/models",status="200",aborted="false"} 4')
    expect(await metrics()).toContain('fairlead_provider_calls_total{provider="local",target="mirror"} 4')
    expect(await metrics()).toContain('fairlead_model_calls_total{provider="local",model="mirror",cached="false"} 4')
    // Neither is a sum.
    expect((await metrics()).find((line) => line.startsWith('fairlead_build_info'))).toMatch(/ 1$/)
    expect(await metrics()).toContain('fairlead_ready 1')
    const workers = findChildren(server.pid)
    server.signal('SIGTERM')
    expect(await server.end).toBe(0)
    expect(workers.filter((pid) => existsSync(`/proc/${pid}`))).toEqual([])
    expect(server.output.match(/listens on/g)).toHaveLength(1)
    expect(server.output.match(/Created the admin/g)).toHaveLength(1)
  })

  test('FAIRLEAD_WORKERS=2 counts the requests of a worker that hangs, and delivers events that any worker stores', async () => {
    const received = await receiver()
    const server = runMain({
      FAIRLEAD_DATA_DIR: temporaryFolder(),
      FAIRLEAD_WORKERS: '2',
      FAIRLEAD_WEBHOOKS_ALLOW_NETWORKS: '127.0.0.1',
    })
    const url = await server.url
    const [key = ''] = /fl_\w{49}/.exec(server.firstLogin) ?? []
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', connection: 'close' }
    const ask = (path: string, init: RequestInit = {}) => fetch(url + path, { ...init, headers })
    await expect.poll(() => findChildren(server.pid).length, soon).toBe(2)
    const webhook = JSON.stringify({ url: received.url, events: ['api_key.created'] })
    expect((await ask('/webhooks', { method: 'POST', body: webhook })).status).toBe(201)
    for (let n = 1; n <= 6; n++) {
      const created = performance.now()
      const body = JSON.stringify({ name: `key ${n}` })
      expect((await ask('/api-keys', { method: 'POST', body })).status).toBe(201)
      await expect.poll(() => received.count(), { interval: 10 }).toBe(n)
      // A poll alone would take up to five seconds.
      expect(performance.now() - created).toBeLessThan(4_000)
    }
    const count = async () => {
      const lines = (await (await ask('/metrics')).text()).split('\n')
      const line = lines.find((each) => each.includes('route="/api-keys",status="201"'))
      return Number(line?.split(' ').at(-1))
    }
    await expect.poll(count, soon).toBe(6)
    const [, second = 0] = findChildren(server.pid)
    process.kill(second, 'SIGSTOP')
    // A worker that hangs is handed one connection at most.
    expect(await Promise.any([count(), count()])).toBe(6)
    process.kill(second, 'SIGCONT')
    expect(await count()).toBe(6)
    server.signal('SIGTERM')
    expect(await server.end).toBe(0)
  })

  test('FAIRLEAD_WORKERS=2 exits with 1 if no worker can start, and prints the reason once', async () => {
    const server = runMain({
      FAIRLEAD_DATA_DIR: temporaryFolder(),
      FAIRLEAD_WORKERS: '2',
      FAIRLEAD_PROVIDERS: 'locla',
    })
    expect(await server.end).toBe(1)
    expect(server.output.match(/did you mean "local"/g)).toHaveLength(1)
  })
})
