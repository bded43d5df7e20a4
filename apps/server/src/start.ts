import type { Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { type FirstAdmin, makeFirstAdmin, type PasswordHasher } from '@fairlead/accounts'
import { type FairleadCore } from '@fairlead/core/adapter'
import { maxCallMs } from '@fairlead/core/server'
import { passwordNameIssue } from '@fairlead/accounts/server'
import type { Provider } from '@fairlead/core/provider'
import type { Stores } from '@fairlead/storage'
import { createBodyRoom, largestBodyBytes } from '@fairlead/rest-adapter'
import { type DestinationStream, pino } from 'pino'
import { anonymousLimit } from './anonymous-limit.ts'
import { compose } from './compose.ts'
import type { Config } from './config.ts'
import { ConfigError } from './config-error.ts'
import type { ConfigFile } from './config-file.ts'
import { limitConnections } from './connection-limit.ts'
import { shareConnections } from './connection-shares.ts'
import { trackConnections } from './drain.ts'
import { accessLog, coreLog, errorRecord, type LogDestination } from './logging.ts'
import { appListener, createApp, type Service } from './app.ts'
import { oidcSettings, oidcStartPath } from './oidc/settings.ts'
import { anthropicIds, type ChosenProvider } from './providers/choose-providers.ts'
import type { Setup } from './read-setup.ts'
import type { Reload } from './reload/create-reload.ts'
import { createReloader, type Reloader } from './reload/reloader.ts'
import { connectionTimeout, createServer } from './http-server.ts'
import { formatAddress, type ConnectionSource, listen } from './listen.ts'
import { createMetrics, type Metrics, metricsServer } from './metrics.ts'
import { createReadiness, startupBuffer } from './health.ts'
import { differingImages } from './image-storage.ts'
import { unlessAborted } from './wait-until-available.ts'

export interface RunningServer {
  /** The port on which it listens. */
  readonly port: number
  /** The public URL: as configured, or the address on which it listens. */
  readonly baseUrl: string
  /** The URL of the metrics that requires no API key, if configured. */
  readonly metricsUrl: string | undefined
  /** Set if this start created the admin. */
  readonly firstAdmin: FirstAdmin | undefined
  /** Reads the configuration file again. Undefined if the start got no `readSetup`. */
  readonly reloader: Reloader | undefined
  /** Reloads the configuration for a signal, as `POST /admin/reload` does. Never rejects. */
  reload(): Promise<void>
  /** Starts the jobs that one of several processes runs for all. */
  startJobs(): void
  /** Lets these jobs look for work now. */
  wakeJobs(): void
  /** Finishes the requests in flight, then closes everything. */
  stop(): Promise<void>
}

export interface StartOptions {
  readonly service: Service
  /** With the number of lines that could not be written, if it knows that. */
  readonly logTo: DestinationStream & Partial<Pick<LogDestination, 'dropped'>>
  /** Called once ports and stores are open. */
  loadProviders(): Promise<readonly Provider[]>
  /** Whether to start the jobs at once. Default: true. */
  readonly jobs?: boolean
  /** Accepts the server's connections. Default: listens on the configured port. */
  connect?(server: Server): ConnectionSource
  /** The configuration file. Default: none. */
  readonly file?: ConfigFile | undefined
  /** The providers that `loadProviders` loads. Default: none. */
  readonly chosen?: readonly ChosenProvider[]
  /** Reads the environment and the file again for a reload. Default: the service cannot reload. */
  readSetup?(): Promise<Setup>
  /** Called when this process has stored events, which another process may deliver. Default: nothing. */
  eventsStored?(): void
  /** Called for `POST /admin/reload`. Default: there is none. */
  readonly reload?: Reload
  /** Cancels a start that is still waiting for providers or the database. */
  readonly signal?: AbortSignal
  /** How long a stop leaves idle connections open for one more request, in milliseconds. Default: 500. */
  readonly graceMs?: number
}

/**
 * Starts the service: ports first, then stores and providers, then the first admin. If a port is in use, nothing else has
 * happened yet: the key of the first admin can be shown only once. Early requests wait, except for the probes.
 */
export async function start(
  config: Config,
  { service, logTo, file, connect, jobs = true, signal = new AbortController().signal, ...options }: StartOptions,
): Promise<RunningServer> {
  const timestamp = pino.stdTimeFunctions.isoTime
  const { otlpEndpoint, otelDisabled } = config
  const telemetry =
    otlpEndpoint === undefined || otelDisabled
      ? undefined
      : (await import('./telemetry.ts')).startTelemetry(otlpEndpoint, service, config)
  const logger = pino(
    {
      level: config.logLevel,
      base: null,
      timestamp,
      serializers: { err: errorRecord },
      ...(telemetry && { mixin: () => telemetry.logFields() }),
    },
    logTo,
  )
  const startup = startupBuffer()
  const { server, adopt, drain } = createServer(startup.listener, {
    isSecure: config.baseUrl?.startsWith('https:') === true,
    basePath: toBasePath(config.baseUrl),
    limits: { timeout: connectionTimeout(maxCallMs(file?.config ?? {})) },
  })
  limitConnections(server, logger)
  // Behind a proxy, all connections come from the proxy.
  if (config.trustedProxies === 0) {
    shareConnections(server, { logger, maxPerNetwork: config.maxConnectionsPerNetwork })
  }
  const connections = trackConnections(server)
  const metrics = createMetrics({ version: service.version, droppedLogLines: () => logTo.dropped ?? 0 })
  const { trustedProxies, anonymousRequestsPerMinute: requestsPerMinute } = config
  const limit = requestsPerMinute > 0 ? anonymousLimit({ requestsPerMinute, trustedProxies, logger }) : undefined
  const { eventsStored } = options
  const observers = [
    metrics.observer,
    telemetry?.observer,
    accessLog(logger, telemetry?.logFields),
    limit,
    eventsStored && { eventsStored },
  ].filter((each) => each !== undefined)
  const servers = [server]
  let opened: FairleadCore | undefined
  try {
    const source = connect ? connect(server) : await listen(server, config.host, config.port)
    const { port } = source
    const baseUrl = config.baseUrl ?? formatAddress(config.host, port)
    const metricsPort = await openMetrics(config, metrics)
    if (metricsPort) servers.push(metricsPort.server)
    const log = coreLog(logger)
    const oidc = await openOidc(config, baseUrl)
    const application = await compose({
      config,
      service,
      baseUrl,
      log,
      observers,
      file,
      loadProviders: () => unlessAborted(signal, options.loadProviders()),
      reload: options.reload,
      onReloaded: metrics.reloaded,
      confirmIdentity: oidc?.confirmIdentity,
      signal,
      onWait: () => startup.wait('The service is waiting for its storage.'),
    })
    opened = application.core
    startup.wait(undefined)
    const { core, stores, images, passwords, secretKeys, providers, defaults } = application
    await unlessAborted(signal, core.start())
    const firstAdmin = await makeFirstAdmin(core, stores, {
      email: config.adminEmail,
      passwordHash: await hashForFirstStart(stores, passwords, config, baseUrl),
      secretKeys,
    })
    // SQLite is in the data directory, as are its images.
    const readiness = createReadiness(core, {
      ...(config.databaseUrl !== undefined && { refusal: () => differingImages(core, stores, images) }),
    })
    const { reason } = await readiness.check()
    if (reason !== undefined) logger.warn({ reason }, 'this node is not ready')
    if (stores.connections) telemetry?.observeConnections(stores.connections)
    metrics.opened({ readiness, stores, clockSkewMs: core.clockSkewMs, requestsInFlight: connections.inFlight })
    if (jobs) {
      for (const { id, notices = [] } of providers) for (const notice of notices) logger.warn({ provider: id }, notice)
    }
    let anthropic = anthropicIds(file?.config.providers)
    const { chosen = [], readSetup } = options
    const reloader =
      readSetup &&
      createReloader({
        config,
        core,
        inUse: { file, chosen, providers },
        read: readSetup,
        onApply(next) {
          anthropic = anthropicIds(next?.config.providers)
          server.setTimeout(connectionTimeout(maxCallMs(next?.config ?? {})))
        },
      })
    const anthropicProviders = () => anthropic
    const pages = oidc ? oidc.pages({ baseUrl, core, secretKeys, log }) : []
    const app = createApp(core, {
      config,
      baseUrl,
      service,
      readiness,
      metrics,
      limit,
      bodyRoom: bodyRoomOf(config),
      telemetry,
      anthropicProviders,
      tagsFromMetadata: defaults.tagsFromMetadata,
      pages,
      signIn: {
        passwords: config.passwords,
        signup: defaults.signup && config.passwords,
        passkeys: application.passkeyOrigin,
        mail: config.smtpUrl !== undefined,
        // Of the address that the provider sends people back to, which gets the cookie.
        ...(oidc && { oidc: { name: oidc.settings.name, url: baseUrl + oidcStartPath } }),
      },
    })
    const listener = appListener(app, core)
    adopt(app, listener)
    startup.open(listener)
    if (jobs) core.startJobs()
    return {
      port,
      baseUrl,
      metricsUrl: metricsPort?.url,
      firstAdmin,
      reloader,
      async reload() {
        const operation = core.operations.find(({ name }) => name === 'reloadConfiguration')
        if (operation) await core.run(operation, { kind: 'embedded' }, {})
      },
      startJobs: () => core.startJobs(),
      wakeJobs: () => core.wakeJobs(),
      async stop() {
        readiness.drain()
        drain()
        logger.info('draining')
        await sleep(config.drainDelayMs)
        await source.close()
        core.endSubscriptions()
        await connections.drain({
          graceMs: options.graceMs,
          timeoutMs: config.drainTimeoutMs,
          onTimeout() {
            const calls = core.endCalls()
            metrics.callsEnded(calls)
            logger.warn({ calls }, 'ended the requests that took longer than FAIRLEAD_DRAIN_TIMEOUT')
          },
        })
        if (metricsPort) closeNow(metricsPort.server)
        await core.close()
        await telemetry?.close()
        logger.info('stopped')
      },
    }
  } catch (error) {
    for (const each of servers) closeNow(each)
    await opened?.close()
    await telemetry?.close()
    throw error
  }
}

function bodyRoomOf({ maxHeldBodyBytes, maxBodyBytes = 0, workers }: Config) {
  const options = { maxBytes: maxHeldBodyBytes, processes: workers }
  return createBodyRoom(maxBodyBytes > largestBodyBytes ? { ...options, maxBodyBytes } : options)
}

/** The path of the public URL, without a slash at the end. */
function toBasePath(baseUrl: string | undefined): string {
  return URL.parse(baseUrl ?? '')?.pathname.replace(/\/$/, '') ?? ''
}

/** Undefined without a provider. */
async function openOidc(config: Config, baseUrl: string) {
  const settings = oidcSettings(config)
  if (!settings) return undefined
  const { openProvider } = await import('./oidc/open-provider.ts')
  return { settings, ...openProvider(settings, baseUrl) }
}

/** Hashing is slow by design: it is done for the first start alone. */
async function hashForFirstStart(
  stores: Stores,
  passwords: PasswordHasher,
  { adminPassword: password, adminEmail }: Config,
  baseUrl: string,
): Promise<string | undefined> {
  if (password === undefined || (await stores.read((view) => view.users.count())) > 0) return undefined
  // Only here: a service that has its admin starts with the password of before.
  const issue = passwordNameIssue(password, { emails: [adminEmail], name: '', baseUrl })
  if (issue !== undefined) throw new ConfigError(`FAIRLEAD_ADMIN_PASSWORD ${issue}: choose another one`)
  return passwords.hash(password)
}

async function openMetrics({ metricsAddress }: Config, metrics: Metrics) {
  if (!metricsAddress) return undefined
  const { host, port } = metricsAddress
  const server = metricsServer(metrics)
  return { server, url: `${formatAddress(host, (await listen(server, host, port)).port)}/metrics` }
}

function closeNow(server: Server): void {
  server.close()
  server.closeAllConnections()
}
