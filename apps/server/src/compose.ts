import { memoryCache } from '@fairlead/cache'
import { accounts, audit, type ConfirmIdentity } from '@fairlead/accounts'
import { type Cache, createFairlead, type Log, type Mailer, type Observer, type RateLimiter } from '@fairlead/core'
import type { FairleadConfig } from './define-config.ts'
import { shipments } from '@fairlead/shipments'
import { webhooks } from '@fairlead/webhooks'
import type { Provider } from '@fairlead/core/provider'
import type { Blobs } from '@fairlead/core/stores'
import type { Stores } from '@fairlead/storage'
import { webAuthnPasskeys } from '@fairlead/passkeys'
import { argon2Passwords } from '@fairlead/passwords'
import type { Service } from './app.ts'
import type { Config } from './config.ts'
import { type ConfigFile, routingOptionsIn, withFileName } from './config-file.ts'
import type { ImageStorage } from './image-storage.ts'
import { passkeyOrigin } from './passkey-origin.ts'
import { passwordsOff } from './passwords-off.ts'
import { addressMailer, invitationMailer } from './account-mailer.ts'
import { openData } from './open-data.ts'
import { openUsageExport } from './usage-export/open-usage-export.ts'
import { waitUntilAvailable } from './wait-until-available.ts'
import type { Reload } from './reload/create-reload.ts'
import { administration } from './reload/reload-operation.ts'
import { ownSecretKeys } from './secret-keys.ts'
import { withStrictDefaults } from './stricter-defaults.ts'

export interface ComposeOptions {
  readonly config: Config
  readonly service: Service
  readonly baseUrl: string
  readonly log: Log
  readonly observers: readonly Observer[]
  readonly file: ConfigFile | undefined
  loadProviders(): Promise<readonly Provider[]>
  /** Cancels the wait for a database. */
  readonly signal?: AbortSignal
  /** Called if the database cannot be reached, before the wait for it. */
  onWait?(): void
  /** Confirms the sessions of identities. Undefined: no provider is configured. */
  readonly confirmIdentity?: ConfirmIdentity | undefined
  /** Called for `POST /admin/reload`. Undefined: there is none. */
  readonly reload?: Reload | undefined
  /** Called when this node has reloaded as all nodes were asked to. @param at when, in milliseconds since the epoch */
  onReloaded?(at: number): void
}

/** Creates the core from the configuration: the only place that knows every implementation. */
export async function compose(options: ComposeOptions) {
  const { config, log, signal = new AbortController().signal, onWait = () => {} } = options
  const { stores, images } = await openData(config, log, (open) => waitUntilAvailable(open, { log, signal, onWait }))
  try {
    return await composeOn(stores, images, options)
  } catch (error) {
    await stores.close()
    throw error
  }
}

async function composeOn(stores: Stores, images: ImageStorage, options: ComposeOptions) {
  const { config, service, baseUrl, log, observers, file, reload } = options
  const {
    cache: cacheSettings,
    features = [],
    observer = [],
    webhooks: limits,
    defaults: userDefaults,
    budgets,
    rateLimits,
    analysisModel,
  } = file?.config ?? {}
  const passwords = config.passwords ? argon2Passwords() : passwordsOff
  const origin = config.passwords ? passkeyOrigin(baseUrl) : undefined
  const secretKeys = await ownSecretKeys(config, stores)
  const defaults = await withStrictDefaults(withFile(config, rateLimits), stores, log)
  const providers = await options.loadProviders()
  const opened: { close?(): Promise<void> }[] = [...providers]
  try {
    const cache = await openCache(config, cacheSettings, log)
    opened.push(cache)
    const rateLimiter = await openRateLimiter(options)
    if (rateLimiter) opened.push(rateLimiter)
    const mailer = await openMailer(config)
    const usageExport = await openUsageExport(config, service)
    const { core } = await withFileName(file, () =>
      createFairlead({
        analysisModel,
        routing: routingOptionsIn(file, config, providers),
        limits: {
          ...rateLimits,
          writtenBytesPerDay: limitFrom(defaults.writtenBytesPerDay),
          rateLimiter,
          budgets: { ...budgets, allowUnpriced: config.budgetsAllowUnpriced ?? budgets?.allowUnpriced },
        },
        providers,
        stores,
        blobs: config.databaseUrl === undefined ? images.blobs : withoutCheck(images.blobs),
        retention: {
          imageDays: config.imageDays,
          imageBytes: limitFrom(defaults.imageBytes),
          usageDays: config.usageDays,
          totalMonths: config.totalMonths,
        },
        cache,
        media: { allowNetworks: config.mediaNetworks },
        baseUrl,
        features: [
          accounts({
            passwords,
            passkeys: origin === undefined ? undefined : webAuthnPasskeys({ origins: [origin] }),
            // Without passwords, every session is one of single sign-on.
            adminSecondFactor: config.passwords ? config.adminSecondFactor : undefined,
            defaults: userDefaults,
            signup: defaults.signup,
            sessionDays: defaults.sessionDays,
            confirmIdentity: options.confirmIdentity,
            sendInvitation: mailer && invitationMailer(mailer, baseUrl),
            sendAddressMail: mailer && addressMailer(mailer, baseUrl),
          }),
          shipments(),
          webhooks({
            allowNetworks: config.webhookNetworks,
            limits,
            eventDays: config.eventDays,
            mailer,
          }),
          audit({ days: config.auditDays }),
          ...(reload ? [administration(reload, options.onReloaded)] : []),
          ...usageExport,
          ...features,
        ],
        secretKeys,
        log,
        observer: [...observers, ...[observer].flat()],
      }),
    )
    return { core, stores, images, passwords, passkeyOrigin: origin, secretKeys, providers, defaults }
  } catch (error) {
    // An open handle would keep a process running that cannot start.
    await Promise.allSettled(opened.map(async (each) => each.close?.()))
    throw error
  }
}

/** The configuration with what the file sets instead of a variable. */
function withFile(config: Config, { writtenBytesPerDay: limit }: FairleadConfig['rateLimits'] = {}): Config {
  return { ...config, writtenBytesPerDay: config.writtenBytesPerDay ?? (limit === null ? Infinity : limit) }
}

/** The limit for core, where null means none. */
function limitFrom(limit: number | undefined): number | null | undefined {
  return limit === Infinity ? null : limit
}

/** Nodes share their images. If they all checked them, an outage of images would make every node unready. */
function withoutCheck({ check: _check, ...blobs }: Blobs): Blobs {
  return blobs
}

async function openCache(
  { redisUrl }: Config,
  { maxBytes }: NonNullable<FairleadConfig['cache']> = {},
  log: Log,
): Promise<Cache> {
  if (redisUrl !== undefined) return (await import('@fairlead/cache/redis')).redisCache({ url: redisUrl, log })
  return memoryCache(maxBytes === undefined ? {} : { maxBytes })
}

/** Undefined without Redis: each process then counts by itself. */
async function openRateLimiter({ config: { redisUrl }, log }: ComposeOptions): Promise<RateLimiter | undefined> {
  if (redisUrl === undefined) return undefined
  const { redisRateLimiter } = await import('@fairlead/cache/redis')
  return redisRateLimiter({ url: redisUrl, log })
}

/** Undefined: no mail is sent. */
async function openMailer({ smtpUrl, mailFrom }: Config): Promise<Mailer | undefined> {
  if (smtpUrl === undefined || mailFrom === undefined) return undefined
  const { smtpMailer } = await import('./smtp-mailer.ts')
  return smtpMailer({ url: smtpUrl, from: mailFrom })
}
