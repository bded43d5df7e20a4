import { constants } from 'node:fs'
import { access, stat, statfs } from 'node:fs/promises'
import { createServer } from 'node:http'
import { dirname, join, resolve } from 'node:path'
import type { Provider } from '@fairlead/core/provider'
import { type DatabaseState, readDatabaseState } from '@fairlead/storage'
import { type Config, ConfigError, readValidConfig } from './config.ts'
import { lowFileLimit, openFileLimit } from './connection-limit.ts'
import { explainFailure } from './explain-failure.ts'
import { openImageStorage } from './image-storage.ts'
import { formatAddress, listen } from './listen.ts'
import { type OidcSettings, oidcSettings } from './oidc/settings.ts'
import type { ChosenProvider } from './providers/choose-providers.ts'
import { hasCode } from './random-file.ts'
import { readSetup } from './read-setup.ts'

/** The result of one check. */
export interface Finding {
  /** The subject of the check, such as `database`. */
  readonly check: string
  /** `fail` if the service could not start or work. */
  readonly status: 'ok' | 'warn' | 'fail'
  /** One sentence. Unless the status is `ok`, it says what to do. */
  readonly message: string
}

export interface DiagnoseOptions {
  readonly environment: Readonly<Record<string, string | undefined>>
  /** The folder of the configuration file. */
  readonly folder: string
  /** Whether to call each provider once, which checks its API key. The call generates nothing and is free. */
  readonly callProviders: boolean
}

type Result = Omit<Finding, 'check'>

/**
 * Checks what the service needs, and leaves nothing behind: Node, the configuration, the port, the data folder, the database,
 * images on S3, Redis, single sign-on, mail, the providers and the clock. Yields each finding as soon as it is known. Where
 * the configuration is invalid, it leaves out what depends on that.
 */
export async function* diagnose({ environment, folder, callProviders }: DiagnoseOptions): AsyncGenerator<Finding> {
  yield { check: 'node', ...ok(`Node ${process.versions.node} on ${process.platform} ${process.arch}`) }
  const { issues, warnings, file, chosen } = await readSetup(environment, folder)
  for (const message of warnings) yield { check: 'configuration', status: 'warn', message }
  for (const message of issues) yield { check: 'configuration', ...failed(message) }
  if (issues.length === 0)
    yield { check: 'configuration', ...ok(file ? `the environment and ${file.name}` : 'the environment') }
  const { config, invalid } = readValidConfig(environment)
  const clocks: Clocks = []
  for (const { name, reads, run } of checks) {
    if (reads.some((variable) => invalid.has(variable))) continue
    const result = await run(config, clocks)
    if (result) yield { check: name, ...result }
  }
  for (const each of chosen) yield { check: `provider ${each.name}`, ...(await checkProvider(each, callProviders)) }
  yield { check: 'clock', ...checkClock(clocks) }
}

interface Check {
  readonly name: string
  /** The variables without which it would check something else. */
  readonly reads: readonly string[]
  /** Undefined if the service does not use it. */
  run(config: Config, clocks: Clocks): Promise<Result> | undefined
}

const checks: readonly Check[] = [
  { name: 'port', reads: ['HOST', 'PORT'], run: checkPort },
  { name: 'open files', reads: [], run: checkOpenFiles },
  { name: 'data folder', reads: ['FAIRLEAD_DATA_DIR'], run: checkDataFolder },
  { name: 'database', reads: ['DATABASE_URL', 'FAIRLEAD_DATA_DIR'], run: checkDatabase },
  {
    name: 'images',
    reads: ['FAIRLEAD_S3_ENDPOINT', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN'],
    run: (config) => (config.s3 ? checkBucket(config) : undefined),
  },
  {
    name: 'redis',
    reads: ['REDIS_URL'],
    run: ({ redisUrl }, clocks) => (redisUrl === undefined ? undefined : checkRedis(redisUrl, clocks)),
  },
  {
    name: 'single sign-on',
    reads: ['FAIRLEAD_OIDC_ISSUER', 'FAIRLEAD_OIDC_CLIENT_SECRET'],
    run(config) {
      const settings = oidcSettings(config)
      return settings && checkIssuer(settings)
    },
  },
  {
    name: 'mail',
    reads: ['FAIRLEAD_SMTP_URL', 'FAIRLEAD_MAIL_FROM'],
    run: ({ smtpUrl, mailFrom }) => (smtpUrl === undefined ? undefined : checkMail(smtpUrl, mailFrom)),
  },
]

/** How far the clocks of servers are ahead of this machine's. */
type Clocks = { readonly server: string; readonly aheadMs: number }[]

async function checkPort({ host, port }: Config): Promise<Result> {
  try {
    await (await listen(createServer(), host, port)).close()
    return ok(`${formatAddress(host, port)} is free`)
  } catch (error) {
    if (hasCode(error, 'EADDRINUSE') && (await isFairlead(formatAddress(host, port))))
      return ok(`Fairlead already listens on ${formatAddress(host, port)}`)
    return failed(explainFailure(error))
  }
}

async function isFairlead(address: string): Promise<boolean> {
  try {
    const response = await fetch(`${address}/healthz`, { signal: AbortSignal.timeout(2_000) })
    return JSON.stringify(await response.json()) === '{"status":"ok"}'
  } catch {
    return false
  }
}

async function checkOpenFiles(): Promise<Result> {
  const limit = openFileLimit()
  const advice = lowFileLimit(limit)
  return advice === undefined ? ok(`this process may open ${limit}`) : warn(advice)
}

/** Below this, in bytes, the disk counts as nearly full. */
const littleSpace = 1e9

async function checkDataFolder({ dataDirectory: path }: Config): Promise<Result> {
  const existing = await nearestExisting(resolve(path))
  if (!(await stat(existing)).isDirectory())
    return failed(`${existing} is not a folder: set FAIRLEAD_DATA_DIR to another path.`)
  try {
    await access(existing, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch {
    return failed(
      `This user cannot write to ${existing}: change its owner, or set FAIRLEAD_DATA_DIR to another folder.`,
    )
  }
  const { bavail, bsize } = await statfs(existing)
  const free = `${megabytes(bavail * bsize)} free`
  if (bavail * bsize < littleSpace) return warn(`${existing} has only ${free}: make room, or move the data folder.`)
  return ok(existing === resolve(path) ? `${path}, ${free}` : `the first start creates ${path}, ${free}`)
}

/** The path, or its first parent that exists. */
async function nearestExisting(path: string): Promise<string> {
  const exists = await stat(path).catch(() => undefined)
  return exists || dirname(path) === path ? path : nearestExisting(dirname(path))
}

async function checkDatabase({ databaseUrl, dataDirectory }: Config, clocks: Clocks): Promise<Result> {
  const path = join(dataDirectory, 'fairlead.db')
  if (databaseUrl === undefined && !(await stat(path).catch(() => undefined)))
    return ok(`SQLite; the first start creates ${path}`)
  try {
    const state = await readDatabaseState(databaseUrl === undefined ? { path } : { url: databaseUrl })
    if (state.clockOffsetMs !== undefined) clocks.push({ server: 'PostgreSQL', aheadMs: state.clockOffsetMs })
    return ok(describeDatabase(state))
  } catch (error) {
    return failed(`${readMessage(error)}${databaseUrl === undefined ? '' : '. Check DATABASE_URL and the server.'}`)
  }
}

function describeDatabase({ server, sizeBytes, pendingMigrations }: DatabaseState): string {
  const pending = pendingMigrations.length
  const next = pending === 0 ? '' : `; the next start runs ${pending} ${pending === 1 ? 'migration' : 'migrations'}`
  return `${server}, ${megabytes(sizeBytes)}${next}`
}

/** Writes, reads and deletes an object. */
async function checkBucket(config: Config): Promise<Result> {
  const { blobs, name } = await openImageStorage(config)
  const probe = `doctor_${Date.now()}`
  try {
    await blobs.check?.()
    await blobs.put(probe, new Uint8Array(1))
    const found = await blobs.get(probe)
    await blobs.delete([probe])
    return found?.length === 1 ? ok(name) : failed(`${name} does not return what was stored: use another service.`)
  } catch (error) {
    const { cause } = error as Error
    return failed(`${name} cannot be used: ${readMessage(cause ?? error)}. Check FAIRLEAD_S3_* and AWS_*.`)
  }
}

async function checkRedis(url: string, clocks: Clocks): Promise<Result> {
  try {
    const { readRedisState } = await import('@fairlead/cache/redis')
    const { version, clockOffsetMs, rejectsWritesWhenFull } = await readRedisState(url)
    clocks.push({ server: 'Redis', aheadMs: clockOffsetMs })
    if (rejectsWritesWhenFull)
      return warn(`Redis ${version} rejects writes when its memory is full: set maxmemory-policy to allkeys-lru.`)
    return ok(`Redis ${version}`)
  } catch (error) {
    return failed(`Redis cannot be used: ${readMessage(error)}. Check REDIS_URL and the server.`)
  }
}

async function checkIssuer(settings: OidcSettings): Promise<Result> {
  const { discoverIssuer, explain } = await import('./oidc/issuer.ts')
  try {
    await discoverIssuer(settings, '')
    return ok(`${settings.issuer} answered; a sign-in also checks the secret`)
  } catch (error) {
    return failed(`${settings.issuer} cannot be used: ${explain(error)}. Check FAIRLEAD_OIDC_ISSUER.`)
  }
}

async function checkMail(url: string, from = ''): Promise<Result> {
  const { smtpMailer } = await import('./smtp-mailer.ts')
  const mailer = smtpMailer({ url, from })
  try {
    await mailer.check()
    return ok('the mail server accepts connections')
  } catch (error) {
    return failed(`Mail cannot be sent: ${readMessage(error)}. Check FAIRLEAD_SMTP_URL and the server.`)
  } finally {
    mailer.close?.()
  }
}

const callTimeoutMs = 10_000

async function checkProvider({ reason, load }: ChosenProvider, call: boolean): Promise<Result> {
  let provider: Provider | undefined
  try {
    provider = await load()
    if (!call) return ok(reason)
    return await callOnce(provider)
  } catch (error) {
    return failed(readMessage(error))
  } finally {
    await provider?.close?.()
  }
}

async function callOnce(provider: Provider): Promise<Result> {
  const call = { signal: AbortSignal.timeout(callTimeoutMs), requestId: 'doctor' }
  if (provider.health) await provider.health(call)
  else if (typeof provider.models === 'function') await provider.models(call)
  else return ok('has no upstream to call')
  return ok('answered')
}

/** A larger difference, in milliseconds, moves the ends of sessions, quotas and signatures of webhooks. */
const maxOffsetMs = 1_000

function checkClock(clocks: Clocks): Result {
  const off = clocks.find(({ aheadMs }) => Math.abs(aheadMs) > maxOffsetMs)
  if (off) {
    const seconds = (Math.abs(off.aheadMs) / 1_000).toFixed(1)
    const side = off.aheadMs > 0 ? 'behind' : 'ahead of'
    return warn(`This machine is ${seconds} s ${side} ${off.server}: synchronize both clocks with NTP.`)
  }
  const now = new Date().toISOString()
  return ok(clocks.length > 0 ? `agrees with ${clocks.map(({ server }) => server).join(' and ')}` : `it is ${now}`)
}

function megabytes(bytes: number): string {
  return bytes < 1e10 ? `${Math.ceil(bytes / 1e6)} MB` : `${Math.floor(bytes / 1e9)} GB`
}

function readMessage(error: unknown): string {
  if (error instanceof ConfigError) return error.message.replaceAll('\n', '; ')
  return error instanceof Error ? error.message || error.name : String(error)
}

function ok(message: string): Result {
  return { status: 'ok', message }
}

function warn(message: string): Result {
  return { status: 'warn', message }
}

function failed(message: string): Result {
  return { status: 'fail', message }
}
