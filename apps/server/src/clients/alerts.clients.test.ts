import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FairleadConfig } from '../define-config.ts'
import { systemClock } from '@fairlead/core'
import { type Provider, ProviderError, textAnswer, type TextModel } from '@fairlead/core/provider'
import { breakableLink, createTestDatabase, findPostgres } from '@fairlead/storage/testing'
import { fakeTextModel } from '@fairlead/testing'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { parse } from 'yaml'
import { readConfig } from '../config.ts'
import { type RunningServer, start } from '../start.ts'
import { findPrometheus, type Prometheus, startPrometheus } from '../testing/prometheus.ts'

const deploy = join(import.meta.dirname, '../../../../deploy')

interface Rules {
  groups: { name: string; interval?: string; rules: { alert: string; expr: string; for?: string }[] }[]
}

const rules = parse(readFileSync(join(deploy, 'prometheus/alerts.yaml'), 'utf8')) as Rules
const config = parse(readFileSync(join(deploy, 'prometheus/prometheus.yaml'), 'utf8')) as object
const names = rules.groups.flatMap((group) => group.rules.map(({ alert }) => alert))

/** The same rules, without their waits and their minimum of requests: alerts fire at once. */
function impatient(): Rules {
  const groups = rules.groups.map((group) => ({
    ...group,
    interval: '200ms',
    rules: group.rules.map((rule) => ({
      ...rule,
      for: '0s',
      expr: rule.expr.replace('age_seconds) > 300', 'age_seconds) > 0.3').replace(/\n +and sum.*\n$/, ''),
    })),
  }))
  return { groups }
}

/** Models, each of which has a cause of alerts. */
function providers(): readonly Provider[] {
  const of = (
    id: string,
    generateText: NonNullable<Provider['generateText']>,
    facts: Partial<TextModel> = {},
  ): Provider => ({ contract: 2, id, models: [fakeTextModel({ id, ...facts })], generateText })
  const usage = { promptTokens: 1_000_000, completionTokens: 1 }
  return [
    of('calm', async () => textAnswer('hello')),
    of('down', () => Promise.reject(new ProviderError('retry', 'the upstream is down'))),
    of('blocking', async () => {
      const end = performance.now() + 300
      while (performance.now() < end);
      return textAnswer('hello')
    }),
    of('costly', async () => textAnswer('hello', { usage }), { pricing: { input: 500, output: 500 } }),
    of(
      'stuck',
      (_request, { signal }) =>
        new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
        ),
    ),
  ]
}

/** A receiver of webhooks, whose path says how it responds. */
async function startReceiver() {
  const held = new Set<ServerResponse>()
  let hangs = false
  const respond = (response: ServerResponse) => void response.writeHead(500).end()
  const server = createServer((request, response) => {
    if (request.url === '/gone') response.writeHead(410).end()
    else if (request.url === '/hang' && hangs) held.add(response)
    else respond(response)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hang: () => void (hangs = true),
    release() {
      hangs = false
      for (const response of held) respond(response)
      held.clear()
    },
    close: () => server.close().closeAllConnections(),
  }
}

async function startService(environment: Readonly<Record<string, string>>, settings: FairleadConfig = {}) {
  const lost = { lines: 0 }
  const server = await start(
    readConfig({
      PORT: '0',
      FAIRLEAD_METRICS_ADDRESS: '127.0.0.1:0',
      FAIRLEAD_DATA_DIR: mkdtempSync(join(folder, 'data-')),
      FAIRLEAD_WEBHOOKS_ALLOW_NETWORKS: '127.0.0.1',
      FAIRLEAD_ADMIN_EMAIL: 'ada@example.com',
      ...environment,
    }),
    {
      service: { name: 'Fairlead', version: '1.2.3' },
      logTo: {
        write() {},
        get dropped() {
          return lost.lines
        },
      },
      loadProviders: async () => providers(),
      file: { path: '/fairlead.config.json', name: 'fairlead.config.json', config: settings },
    },
  )
  /** Sends a request, and returns the fields of its response; undefined without a response in time. */
  const ask = async (method: string, path: string, body?: object, token = server.firstAdmin!.apiKey) => {
    const response = await fetch(server.baseUrl + path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      signal: AbortSignal.timeout(2_000),
      ...(body && { body: JSON.stringify(body) }),
    }).catch(() => undefined)
    // oxlint-disable-next-line typescript/no-explicit-any -- tests read bodies of any shape
    return (await response?.json().catch(() => undefined)) as any
  }
  const generate = (model: string, token?: string) => ask('POST', '/generate', { model, prompt: 'x' }, token)
  return { ...server, ask, generate, lost }
}

type Service = Awaited<ReturnType<typeof startService>>

/** A busy machine makes them fire, too: here, without the time for which their cause must last. */
const whenBusy = ['FairleadEventLoopSlow', 'FairleadDatabasePoolExhausted']

/** Of all services and of Prometheus. */
const folder = mkdtempSync(join(tmpdir(), 'fairlead-alerts-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const postgres = findPrometheus() ? await findPostgres() : undefined

describe.skipIf(!postgres)('deploy/prometheus/alerts.yaml', () => {
  let node: Service
  /** On PostgreSQL, with a Redis that is unavailable. */
  let clustered: Service
  let prometheus: Prometheus
  let database: Awaited<ReturnType<typeof createTestDatabase>>
  let link: Awaited<ReturnType<typeof breakableLink>>
  let receiver: Awaited<ReturnType<typeof startReceiver>>
  let stopped: RunningServer
  let firingAtFirst: readonly string[]

  beforeAll(async () => {
    database = await createTestDatabase(postgres!)
    link = await breakableLink(database.url)
    receiver = await startReceiver()
    node = await startService({}, { concurrency: { perTarget: 1, accountShare: 1 } })
    clustered = await startService(
      {
        DATABASE_URL: link.url,
        DATABASE_POOL_SIZE: '2',
        FAIRLEAD_SECRET_KEY: 'k'.repeat(32),
        REDIS_URL: 'redis://127.0.0.1:1',
      },
      { rateLimits: { requestsPerMinute: { free: 100_000, pro: 100_000, enterprise: 100_000 } } },
    )
    stopped = await startService({})
    const targets = [node, clustered, stopped].map(({ metricsUrl }) => new URL(metricsUrl!).host)
    prometheus = await startPrometheus(
      folder,
      {
        ...config,
        global: { scrape_interval: '400ms', evaluation_interval: '200ms' },
        scrape_configs: [{ job_name: 'fairlead', static_configs: [{ targets }] }],
      },
      impatient(),
    )
    await value('sum(fairlead_ready)', 3)
    await node.generate('calm')
    await value('fairlead_model_calls_total{model="calm",cached="false"}', 1)
    firingAtFirst = await prometheus.firing()
  })

  afterAll(async () => {
    await prometheus?.stop()
    link?.restore()
    await Promise.all([node, clustered, stopped].map((each) => each?.stop()))
    receiver?.close()
    await link?.close()
    await database?.drop()
  })

  /** Waits until an expression has a value. */
  async function value(expression: string, expected: number) {
    await vi.waitFor(async () => expect(await prometheus.query(expression)).toEqual([expected]), 60_000)
  }

  /** The fault that makes each alert fire. It is repeated until the alert fires. */
  const causes: Readonly<Record<string, () => unknown>> = {
    FairleadDown: () => stopped.stop(),
    FairleadNotReady: () => link.cut(),
    FairleadErrors: () => node.generate('down'),
    FairleadCircuitOpen: () => node.generate('down'),
    FairleadProviderFailing: () => node.generate('down'),
    FairleadProviderQueue: () => Promise.all([node.generate('stuck'), node.generate('stuck')]),
    FairleadClockSkew: () => vi.spyOn(systemClock, 'now').mockImplementation(() => Date.now() + 90_000),
    FairleadQuotaExceeded: () => member().then((token) => node.generate('calm', token)),
    FairleadHighCost: () => node.generate('costly'),
    FairleadWebhooksFailing: () => sendEvent('/broken'),
    FairleadWebhookQueueOld() {
      receiver.hang()
      return sendEvent('/hang', 20)
    },
    FairleadWebhookDisabled: () => sendEvent('/gone'),
    // One account gets one of two connections; the other one is left to the service.
    FairleadDatabasePoolExhausted: () =>
      Promise.all([
        database.query('begin; lock table shipments; select pg_sleep(1); commit'),
        ...Array.from({ length: 4 }, () => clustered.ask('GET', '/shipments')),
      ]),
    FairleadRateLimiterFallback: () => clustered.ask('GET', '/models'),
    FairleadEventLoopSlow: () => node.generate('blocking'),
    FairleadLogLinesDropped: () => node.lost.lines++,
  }

  test('no alert fires while all is well', () => {
    expect(firingAtFirst.filter((name) => !whenBusy.includes(name))).toEqual([])
  })

  test('each alert has a cause', () => {
    expect(Object.keys(causes).toSorted()).toEqual(names.toSorted())
  })

  test.each(names)('%s fires when its cause is there', async (name) => {
    let running: Promise<unknown> | undefined
    const provoke = () => {
      if (!running) {
        running = Promise.resolve(causes[name]!()).finally(() => (running = undefined))
        running.catch(() => {})
      }
      return prometheus.firing()
    }
    await expect.poll(provoke, { interval: 100, timeout: 60_000 }).toContain(name)
    await running
    link.restore()
    receiver.release()
    vi.restoreAllMocks()
  })

  let token: Promise<string> | undefined
  /** A user with a quota of one request. */
  function member(): Promise<string> {
    return (token ??= (async () => {
      const credentials = { email: 'max@example.com', password: 'correct horse battery', name: 'Max' }
      const { data } = await node.ask('POST', '/auth/signup', credentials)
      await node.ask('PATCH', `/users/${data.user.id}`, { tier: 'enterprise', quota_limit: 1 })
      return data.access_token as string
    })())
  }

  const webhooks = new Map<string, Promise<string>>()
  async function sendEvent(path: string, count = 1) {
    const create = async () => {
      const { data } = await node.ask('POST', '/webhooks', { url: receiver.url + path, events: ['webhook.test'] })
      return String(data.id)
    }
    if (!webhooks.has(path)) webhooks.set(path, create())
    const id = await webhooks.get(path)
    await Promise.all(Array.from({ length: count }, () => node.ask('POST', `/webhooks/${id}/test`)))
  }
})
