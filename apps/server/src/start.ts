import type { Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  createIds,
  type FairleadCore,
  type Log,
  makeFirstAdmin,
  type PasswordHasher,
  systemClock,
} from '@fairlead/core'
import type { Provider } from '@fairlead/core/provider'
import type { Stores } from '@fairlead/core/stores'
import { type DestinationStream, type Logger, pino } from 'pino'
import { compose } from './compose.ts'
import type { Config } from './config.ts'
import type { ConfigFile } from './config-file.ts'
import { limitConnections } from './connection-limit.ts'
import { trackConnections } from './drain.ts'
import { errorRecord } from './logging.ts'
import { createApp, type Service } from './app.ts'
import { appListener } from './pages.ts'
import { createServer } from './http-server.ts'
import { addressOf, type ConnectionSource, listen } from './listen.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import { metricsServer } from './metrics.ts'
import { createReadiness, type Readiness } from './health.ts'
import { startupBuffer } from './health.ts'
import type { FirstAdmin } from './welcome.ts'

export interface RunningServer {
  /** On which it listens. */
  readonly port: number
  /** Where the outside reaches it: as configured, or where it listens. */
  readonly baseUrl: string
  /** Where Prometheus reaches it without a key; undefined where it can't. */
  readonly metricsUrl: string | undefined
  /** Set where this start made the admin. */
  readonly firstAdmin: FirstAdmin | undefined
  /** Begins with what one process of several does for all. */
  startJobs(): void
  /** Finishes what is in flight, then lets go of everything. */
  stop(): Promise<void>
}

export interface StartOptions {
  readonly service: Service
  readonly logTo: DestinationStream
  /** Called once ports and stores are open. */
  loadProviders(): Promise<readonly Provider[]>
  /** Whether to begin at once with what one process of several does for all. Default: true. */
  readonly jobs?: boolean
  /** Where the server's connections come from. Default: from the configured port. */
  connect?(server: Server): ConnectionSource
  /** Where routes and limits are configured. Default: nowhere. */
  readonly file?: ConfigFile | undefined
  /** Ends a start that is still waiting for providers. Default: nothing does. */
  readonly signal?: AbortSignal
}

/**
 * Starts the service: ports first, then stores and providers, then the first admin. Where a port is taken nothing else may
 * have happened: the first admin's key can be told only once. Requests that come early wait, except for the probes.
 */
export async function start(
  config: Config,
  { service, logTo, file, connect, loadProviders, jobs = true, signal = new AbortController().signal }: StartOptions,
): Promise<RunningServer> {
  const timestamp = pino.stdTimeFunctions.isoTime
  const logger = pino({ level: config.logLevel, base: null, timestamp, serializers: { err: errorRecord } }, logTo)
  const startup = startupBuffer()
  let readiness: Readiness | undefined
  const { server, adopt } = createServer(startup.listener, {
    isSecure: config.baseUrl?.startsWith('https:') === true,
    isDraining: () => readiness?.draining === true,
  })
  limitConnections(server, logger)
  const connections = trackConnections(server)
  const metrics = createMetrics()
  const servers = [server]
  let opened: FairleadCore | undefined
  try {
    const source = connect ? connect(server) : await listen(server, config.host, config.port)
    const { port } = source
    const baseUrl = config.baseUrl ?? addressOf(config.host, port)
    const aside = await openMetrics(config, metrics)
    if (aside) servers.push(aside.server)
    const log = coreLog(logger)
    const house = await compose({
      config,
      baseUrl,
      log,
      meter: metrics.providers,
      onRateLimitFallback: () => metrics.countRateLimitFallback(),
      file,
      loadProviders: () => unlessAborted(signal, loadProviders()),
    })
    opened = house.core
    const { core, stores, passwords } = house
    await unlessAborted(signal, core.start())
    const firstAdmin = await makeFirstAdmin(stores, {
      email: config.adminEmail,
      passwordHash: await hashForFirst(stores, passwords, config.adminPassword),
      clock: systemClock,
      newId: createIds(systemClock.now),
    })
    const ready = createReadiness(core)
    readiness = ready
    const app = createApp(core, { config, baseUrl, service, readiness: ready, metrics, logger })
    adopt(app)
    startup.open(appListener(app, core))
    if (jobs) core.startJobs()
    return {
      port,
      baseUrl,
      metricsUrl: aside?.url,
      firstAdmin,
      startJobs: () => core.startJobs(),
      async stop() {
        ready.drain()
        logger.info('draining')
        await sleep(config.drainDelayMs)
        await source.close()
        await connections.drain()
        if (aside) shut(aside.server)
        await core.close()
        logger.info('stopped')
      },
    }
  } catch (error) {
    for (const each of servers) shut(each)
    await opened?.close()
    throw error
  }
}

/** Settles as the work does, or rejects as soon as the signal aborts: a plugin may never settle. */
function unlessAborted<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    work.then(resolve, reject)
  })
}

/** Hashing takes its time: it is done for the first start alone. */
async function hashForFirst(
  stores: Stores,
  passwords: PasswordHasher,
  password: string | undefined,
): Promise<string | undefined> {
  if (password === undefined || (await stores.read((view) => view.users.count())) > 0) return undefined
  return passwords.hash(password)
}

function coreLog(logger: Logger): Log {
  return {
    error: ({ error, ...facts }, message) => logger.error({ ...facts, err: error }, message),
    warn: ({ error, ...facts }, message) => logger.warn({ ...facts, err: error }, message),
  }
}

async function openMetrics({ metricsAddress }: Config, metrics: Metrics) {
  if (!metricsAddress) return undefined
  const { host, port } = metricsAddress
  const server = metricsServer(metrics)
  return { server, url: `${addressOf(host, (await listen(server, host, port)).port)}/metrics` }
}

function shut(server: Server): void {
  server.close()
  server.closeAllConnections()
}
