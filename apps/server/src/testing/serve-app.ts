import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { testClock, testCore, type TestCore } from '@fairlead/testing'
import { expectDocumentedResponses } from '@fairlead/rest-adapter/testing'
import { pino } from 'pino'
import { accessLog } from '../logging.ts'
import { anonymousLimit } from '../anonymous-limit.ts'
import { onTestFinished } from 'vitest'
import { appListener, type AppOptions, createApp } from '../app.ts'
import type { Config } from '../config.ts'
import { createServer, type ServerLimits } from '../http-server.ts'
import { createMetrics } from '../metrics.ts'
import { createReadiness, type Readiness } from '../health.ts'
import { nothingChanged } from '../reload/reloader.ts'
import { administration } from '../reload/reload-operation.ts'
import { isUndocumented } from './is-undocumented.ts'

export interface ServeAppOptions {
  readonly config?: Partial<AppOptions['config'] & Pick<Config, 'anonymousRequestsPerMinute'>>
  readonly baseUrl?: string
  readonly service?: AppOptions['service']
  readonly core?: Parameters<typeof testCore>[0]
  readonly limits?: Partial<ServerLimits>
  /** How long the stores may take to answer `/readyz`. */
  readonly timeoutMs?: number
}

export interface ServedApp extends TestCore {
  readonly url: string
  readonly port: number
  readonly readiness: Readiness
  /** Begins to stop. */
  drain(): void
  /** The log lines so far. */
  readonly lines: readonly string[]
  /** Sends a request with the test's API key. */
  ask(path: string, init?: RequestInit): Promise<Response>
}

const openGraphql = { introspection: true, graphiql: true, documents: undefined, onlyDocuments: false }

/** Serves the app with a test core on a free port, until the test ends. */
export async function serveApp({
  config = {},
  baseUrl = 'https://ai.example.com',
  service = { name: 'Fairlead', version: '1.2.3' },
  core: coreOptions,
  limits = {},
  timeoutMs = 2_000,
}: ServeAppOptions = {}): Promise<ServedApp> {
  const metrics = createMetrics()
  const lines: string[] = []
  const logger = pino({ level: 'trace', base: null }, { write: (line) => void lines.push(line) })
  const { anonymousRequestsPerMinute: requestsPerMinute = 0, trustedProxies = 0, ...others } = config
  const limit =
    requestsPerMinute > 0
      ? anonymousLimit({ requestsPerMinute, trustedProxies, logger, clock: testClock() })
      : undefined
  const observer = [metrics.observer, accessLog(logger), ...(limit ? [limit] : [])]
  const tested = await testCore({
    baseUrl,
    observer,
    features: [administration(async () => ({ ...nothingChanged, processes: 1 }))],
    ...coreOptions,
  })
  const readiness = createReadiness(tested.core, { timeoutMs })
  const app = createApp(tested.core, {
    config: {
      trustedProxies,
      maxBodyBytes: undefined,
      corsOrigins: [],
      graphql: openGraphql,
      ...others,
    },
    baseUrl,
    service,
    readiness,
    metrics,
    dashboard: join(import.meta.dirname, 'built-dashboard'),
    limit,
    clock: tested.clock,
  })
  const listener = appListener(app, tested.core)
  const { server, adopt, drain } = createServer(listener, {
    isSecure: baseUrl.startsWith('https:'),
    limits: { ...patient, ...limits },
  })
  adopt(app, listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const { port } = server.address() as AddressInfo
  expectDocumentedResponses(port, { isUndocumented: isUndocumented })
  const url = `http://127.0.0.1:${port}`
  const ask: ServedApp['ask'] = (path, { headers, ...init } = {}) =>
    fetch(url + path, { ...init, headers: { authorization: `Bearer ${tested.caller.token}`, ...headers } })
  const stopGently = () => {
    readiness.drain()
    drain()
  }
  return { ...tested, url, port, readiness, drain: stopGently, lines, ask }
}

/** On a busy machine, a model may take longer than 10 s to start. A connection closed meanwhile fails the test. */
const limitMs = 300_000
const patient: Partial<ServerLimits> = {
  headersTimeout: limitMs,
  requestTimeout: limitMs,
  keepAliveTimeout: limitMs,
  timeout: limitMs,
  connectionsCheckingInterval: 20,
}
