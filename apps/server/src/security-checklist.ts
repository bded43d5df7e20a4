import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from './config.ts'
import { isSecret } from './secret-files.ts'
import { loopbackUrl } from './config-values.ts'
import { readSetup } from './read-setup.ts'

/** One row of the checklist in docs/operating/security.md. */
export interface SecurityItem {
  /** `by hand`: only a person can tell. */
  readonly status: 'done' | 'open' | 'by hand'
  readonly check: string
  /** Advice, if it is open. */
  readonly advice: string
}

export interface ChecklistOptions {
  readonly environment: Readonly<Record<string, string | undefined>>
  /** The folder of the configuration file. */
  readonly folder: string
}

/**
 * Tells which rows of the security checklist are done, from the environment and the configuration file. Changes nothing, and
 * opens no database.
 *
 * @returns the issues of the configuration in place of the checklist if it is not valid
 */
export async function securityChecklist({
  environment,
  folder,
}: ChecklistOptions): Promise<{ readonly issues: readonly string[]; readonly items: readonly SecurityItem[] }> {
  const { issues, config, file } = await readSetup(environment, folder)
  if (!config || issues.length > 0) return { issues, items: [] }
  const hasBurstLimits = Object.keys(file?.config.rateLimits?.requestsPerMinute ?? {}).length > 0
  const items = rows.map(({ check, advice, isDone }): SecurityItem => {
    const answer = isDone?.(config, { environment, hasBurstLimits })
    return { check, advice, status: answer === undefined ? 'by hand' : answer ? 'done' : 'open' }
  })
  return { issues: [], items }
}

interface Facts {
  readonly environment: ChecklistOptions['environment']
  readonly hasBurstLimits: boolean
}

interface Row {
  readonly check: string
  readonly advice: string
  /** Undefined, or absent: a person has to tell. */
  readonly isDone?: (config: Config, facts: Facts) => boolean | undefined
}

const rows: readonly Row[] = [
  {
    check: 'production mode',
    advice: 'set NODE_ENV=production: it turns GraphQL introspection and GraphiQL off',
    isDone: (_config, { environment }) => environment['NODE_ENV'] === 'production',
  },
  {
    check: 'TLS',
    advice: 'put TLS in front of the service, and set FAIRLEAD_BASE_URL to its https address',
    isDone: ({ baseUrl }) => baseUrl?.startsWith('https:') === true,
  },
  {
    check: 'closed sign-up',
    advice: 'set FAIRLEAD_SIGNUP=off, unless anyone may create an account',
    isDone: ({ signup }) => signup === false,
  },
  {
    check: 'single sign-on without passwords',
    advice: 'configure single sign-on, and set FAIRLEAD_PASSWORDS=off',
    isDone: ({ oidcIssuer, passwords }) => oidcIssuer !== undefined && !passwords,
  },
  {
    check: 'second factor of admins',
    advice: 'set FAIRLEAD_ADMIN_SECOND_FACTOR=required: admins then need a passkey beside their password',
    // The provider of single sign-on has its own.
    isDone: ({ adminSecondFactor, passwords }) => adminSecondFactor === 'required' || !passwords,
  },
  {
    check: 'number of proxies',
    advice: 'set FAIRLEAD_TRUST_PROXY to exactly the number of proxies',
    // A service on a loopback address behind a public one has a proxy.
    isDone: ({ trustedProxies, baseUrl }) =>
      trustedProxies > 0 || baseUrl === undefined || loopbackUrl.test(baseUrl) ? undefined : false,
  },
  {
    check: 'secrets in files',
    advice: 'give secrets by variables such as FAIRLEAD_SECRET_KEY_FILE: the environment shows in process lists',
    isDone: (_config, { environment }) => !Object.entries(environment).some(([name, value]) => value && isSecret(name)),
  },
  {
    check: 'first login',
    advice: 'delete first-login.txt, and replace the first key by keys with fewer scopes and an expiry',
    isDone: ({ dataDirectory }) => !existsSync(join(dataDirectory, 'first-login.txt')),
  },
  {
    check: 'networks of admins',
    advice: 'set allowed_networks of admins, so that a stolen password or session is of no use elsewhere',
  },
  { check: 'keys', advice: 'give each program a key of its own, so that you can revoke one without the others' },
  {
    check: 'database over TLS',
    advice: 'add sslmode=verify-full to DATABASE_URL, and use a role that owns only this database',
    isDone: ({ databaseUrl }) =>
      databaseUrl === undefined ||
      ['require', 'verify-ca', 'verify-full'].includes(new URL(databaseUrl).searchParams.get('sslmode') ?? ''),
  },
  {
    check: 'Redis',
    advice: 'use rediss:// and a password in REDIS_URL: clients that can write to Redis can change burst limits',
    isDone: ({ redisUrl }) => redisUrl === undefined || /^rediss:\/\/[^@/]*:[^@/]+@/.test(redisUrl),
  },
  {
    check: 'metrics',
    advice: 'bind FAIRLEAD_METRICS_ADDRESS to a private address: it needs no key',
    isDone: ({ metricsAddress }) => metricsAddress === undefined || privateHost.test(metricsAddress.host),
  },
  {
    check: 'private networks',
    advice: 'keep FAIRLEAD_WEBHOOKS_ALLOW_NETWORKS and FAIRLEAD_MEDIA_ALLOW_NETWORKS empty, or at most a /24 each',
    isDone: ({ webhookNetworks, mediaNetworks }) => ![...webhookNetworks, ...mediaNetworks].some(isWide),
  },
  {
    check: 'origins',
    advice: 'list exact origins in FAIRLEAD_CORS_ORIGINS: their pages may send requests with a session',
    isDone: ({ corsOrigins }) => (corsOrigins.length === 0 ? true : undefined),
  },
  {
    check: 'burst limits',
    advice:
      'set rateLimits.requestsPerMinute in the configuration file: they limit what a leaked key spends in a minute',
    isDone: (_config, { hasBurstLimits }) => hasBurstLimits,
  },
  {
    check: 'user of the process',
    advice: 'run the service as its own user, with write access to its data directory alone',
    isDone: () => process.getuid?.() !== 0,
  },
  {
    check: 'outbound traffic',
    advice: 'limit it to providers, webhook receivers, the database, and Redis',
  },
  { check: 'plugins', advice: 'pin and review them: a plugin runs with the permissions of the service' },
  { check: 'backups', advice: 'encrypt them, and store the secret key apart from them' },
]

const privateHost = /^(localhost|::1|127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|f[cd])/i

/** Whether a network has more addresses than a /24, or than a /64 of IPv6. Names are not wide. */
function isWide(network: string): boolean {
  const [address = '', prefix] = network.split('/')
  return prefix !== undefined && Number(prefix) < (address.includes(':') ? 64 : 24)
}
