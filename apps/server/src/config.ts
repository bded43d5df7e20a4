import { isNetworkOrHost, nearest, passwordIssue } from '@fairlead/core'
import { z } from 'zod'

/** The configuration of the server, read from the environment. */
export interface Config {
  readonly host: string
  readonly port: number
  /** The public URL of the service, without a trailing slash. Default: the address on which it listens. */
  readonly baseUrl: string | undefined
  readonly dataDirectory: string
  /** A PostgreSQL database. Undefined: SQLite in the data directory. */
  readonly databaseUrl: string | undefined
  /** A Redis that caches responses for all nodes. Undefined: each process caches in memory. */
  readonly redisUrl: string | undefined
  /** A file with providers, routes and limits. Undefined: `fairlead.config.ts`, if it exists. */
  readonly configFile: string | undefined
  /** The providers to use. `auto`: those of the file, or else those that the environment enables. */
  readonly providers: 'auto' | readonly string[]
  readonly adminEmail: string
  /** Default: the first admin has no password. */
  readonly adminPassword: string | undefined
  /** Whether anyone may sign up. */
  readonly signup: boolean
  /** Default: generated, and stored in the data directory. */
  readonly secretKey: string | undefined
  readonly previousSecretKey: string | undefined
  /** The maximum body size of every operation. Undefined: each operation has its own limit. */
  readonly maxBodyBytes: number | undefined
  /** How long the port stays open once `/readyz` fails, in milliseconds. */
  readonly drainDelayMs: number
  /** The number of worker processes. */
  readonly workers: number
  /** The number of reverse proxies in front of the service, whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: number
  /** Requests without a valid credential that each network may send, in each process. 0: no limit. */
  readonly anonymousRequestsPerMinute: number
  /** Origins of the web pages that may call the service. */
  readonly corsOrigins: readonly string[]
  /** Networks and hosts that webhooks may point to although they are not public. */
  readonly webhookNetworks: readonly string[]
  /** Networks and hosts that images and files in messages may be loaded from although they are not public. */
  readonly mediaNetworks: readonly string[]
  /** A separate address on which `/metrics` requires no API key. Default: none. */
  readonly metricsAddress: { readonly host: string; readonly port: number } | undefined
  /** The base URL of an OpenTelemetry collector for spans and metrics. Default: none. */
  readonly otlpEndpoint: string | undefined
  readonly graphql: GraphqlConfig
  readonly logLevel: (typeof logLevels)[number]
  /** Problems of the environment that do not keep the service from starting. */
  readonly warnings: readonly string[]
}

/** By default introspection and GraphiQL are enabled, except in production. */
export interface GraphqlConfig {
  /** Whether the schema can be queried, and errors suggest similar names. */
  readonly introspection: boolean
  /** Whether `/graphql` serves GraphiQL to browsers. */
  readonly graphiql: boolean
  /** A JSON file with persisted documents by their ids. */
  readonly documents: string | undefined
  /** Whether only persisted documents are executed. */
  readonly onlyDocuments: boolean
}

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

const integer = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, { error: `must be a whole number from ${min} to ${max}` })
    .transform(Number)
    .refine((value) => value >= min && value <= max, { error: `must be a whole number from ${min} to ${max}` })

const httpUrl = z
  .string()
  .refine((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''), {
    error: 'must be an http or https URL, such as https://ai.example.com',
  })
  .transform((text) => text.replace(/\/+$/, ''))

/** The message never repeats the value, which may contain a password. */
const postgresUrl = z
  .string()
  .refine((text) => /^postgres(ql)?:$/.test(URL.parse(text)?.protocol ?? ''), {
    error:
      'must be the URL of a PostgreSQL database, such as postgres://user:password@db.example.com:5432/fairlead; ' +
      'unset it to store data in SQLite in FAIRLEAD_DATA_DIR',
  })
  .refine((text) => (URL.parse(text)?.pathname.length ?? 0) > 1, {
    error: 'must name a database after the host, such as postgres://user:password@db.example.com:5432/fairlead',
    when: ({ issues }) => issues.length === 0,
  })

/** The message never repeats the value, which may contain a password. */
const redisUrl = z.string().refine((text) => /^rediss?:$/.test(URL.parse(text)?.protocol ?? ''), {
  error:
    'must be the URL of a Redis server, such as redis://user:password@cache.example.com:6379, or rediss:// over TLS',
})

const originList = z.string().transform((text, context): readonly string[] => {
  const origins = text.split(',').map((origin) => origin.trim())
  for (const origin of origins) {
    if (/^https?:\/\/[^*]/.test(origin) && URL.parse(origin)?.origin === origin) continue
    context.addIssue({
      code: 'custom',
      message: `contains "${origin}", which is not an origin; write a list such as https://app.example.com,http://localhost:3000`,
    })
  }
  return origins
})

const networkList = z.string().transform((text, context): readonly string[] => {
  const entries = text.split(',').map((entry) => entry.trim())
  for (const entry of entries.filter((each) => !isNetworkOrHost(each))) {
    context.addIssue({
      code: 'custom',
      message: `contains "${entry}", which is not an IP address, CIDR or host name; write a list such as 10.0.0.0/8,hooks.internal`,
    })
  }
  return entries
})

const socketAddress = z.string().transform((text, context) => {
  const [, host = '', bracketed = host, port = ''] = /^(\[([\da-f:]+)\]|[^:[\]\s/]+):(\d{1,5})$/i.exec(text) ?? []
  if (bracketed !== '' && Number(port) <= 65_535) return { host: bracketed, port: Number(port) }
  context.addIssue({ code: 'custom', message: 'must be an address and a port, such as 127.0.0.1:9464' })
  return z.NEVER
})

const providerList = z
  .string()
  .transform((text) => (text.trim() === 'auto' ? ('auto' as const) : text.split(',').map((name) => name.trim())))

const secretKey = z
  .string()
  .min(32, { error: 'must have at least 32 characters; generate one with "openssl rand -hex 32"' })
  .optional()

const onOrOff = z.enum(['on', 'off'], { error: 'must be on or off' })

const variables = z.object({
  PORT: integer(0, 65_535).default(8080),
  HOST: z.string().default('127.0.0.1'),
  FAIRLEAD_BASE_URL: httpUrl.optional(),
  FAIRLEAD_DATA_DIR: z.string().default('./data'),
  FAIRLEAD_CONFIG: z.string().optional(),
  FAIRLEAD_PROVIDERS: providerList.default('auto'),
  FAIRLEAD_LOCAL_MODEL: z.string().optional(),
  FAIRLEAD_ADMIN_EMAIL: z.email({ error: 'must be an email address' }).default('admin@localhost.localdomain'),
  FAIRLEAD_ADMIN_PASSWORD: z
    .string()
    // Passwords are shorter: `badAdminPassword` rejects the length.
    .transform((text) => (text.length > 1_024 ? text : text.normalize('NFKC')))
    .optional(),
  FAIRLEAD_SIGNUP: onOrOff.default('on'),
  FAIRLEAD_SECRET_KEY: secretKey,
  FAIRLEAD_SECRET_KEY_PREVIOUS: secretKey,
  FAIRLEAD_MAX_BODY_BYTES: integer(1_024, 64 * 1_048_576).optional(),
  FAIRLEAD_DRAIN_DELAY: integer(0, 300).default(0),
  FAIRLEAD_WORKERS: integer(1, 64).default(1),
  FAIRLEAD_TRUST_PROXY: integer(0, 10).default(0),
  FAIRLEAD_ANONYMOUS_REQUESTS_PER_MINUTE: integer(0, 1_000_000).default(600),
  FAIRLEAD_CORS_ORIGINS: originList.default([]),
  FAIRLEAD_WEBHOOKS_ALLOW_NETWORKS: networkList.default([]),
  FAIRLEAD_MEDIA_ALLOW_NETWORKS: networkList.default([]),
  FAIRLEAD_METRICS_ADDRESS: socketAddress.optional(),
  FAIRLEAD_GRAPHQL_INTROSPECTION: onOrOff.optional(),
  FAIRLEAD_GRAPHQL_DOCUMENTS: z.string().optional(),
  FAIRLEAD_GRAPHQL_ONLY_DOCUMENTS: onOrOff.default('off'),
  NODE_ENV: z.string().optional(),
  LOG_LEVEL: z.enum(logLevels, { error: `must be one of ${logLevels.join(', ')}` }).default('info'),
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl.optional(),
  DATABASE_URL: postgresUrl.optional(),
  REDIS_URL: redisUrl.optional(),
})

const ownPrefix = 'FAIRLEAD_'

/**
 * Reads the configuration, or throws `ConfigError` with every invalid variable and a suggested fix. An empty variable counts
 * as unset; an unknown one is a warning, because other programs set variables with our prefix too.
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const present = Object.entries(environment).filter(([, value]) => value !== undefined && value !== '')
  const parsed = variables.safeParse(Object.fromEntries(present))
  const issues = [
    ...missingSecretKey(Object.fromEntries(present)),
    ...(parsed.error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`) ?? []),
  ]
  if (parsed.data) issues.push(...badAdminPassword(parsed.data))
  if (!parsed.success || issues.length > 0) throw new ConfigError(issues.join('\n'))
  const { HOST: host, PORT: port, ...values } = parsed.data
  return {
    host,
    port,
    baseUrl: values.FAIRLEAD_BASE_URL,
    dataDirectory: values.FAIRLEAD_DATA_DIR,
    databaseUrl: values.DATABASE_URL,
    redisUrl: values.REDIS_URL,
    configFile: values.FAIRLEAD_CONFIG,
    providers: values.FAIRLEAD_PROVIDERS,
    adminEmail: values.FAIRLEAD_ADMIN_EMAIL,
    adminPassword: values.FAIRLEAD_ADMIN_PASSWORD,
    signup: values.FAIRLEAD_SIGNUP === 'on',
    secretKey: values.FAIRLEAD_SECRET_KEY,
    previousSecretKey: values.FAIRLEAD_SECRET_KEY_PREVIOUS,
    maxBodyBytes: values.FAIRLEAD_MAX_BODY_BYTES,
    drainDelayMs: values.FAIRLEAD_DRAIN_DELAY * 1_000,
    workers: values.FAIRLEAD_WORKERS,
    trustedProxies: values.FAIRLEAD_TRUST_PROXY,
    anonymousRequestsPerMinute: values.FAIRLEAD_ANONYMOUS_REQUESTS_PER_MINUTE,
    corsOrigins: values.FAIRLEAD_CORS_ORIGINS,
    webhookNetworks: values.FAIRLEAD_WEBHOOKS_ALLOW_NETWORKS,
    mediaNetworks: values.FAIRLEAD_MEDIA_ALLOW_NETWORKS,
    metricsAddress: values.FAIRLEAD_METRICS_ADDRESS,
    otlpEndpoint: values.OTEL_EXPORTER_OTLP_ENDPOINT,
    graphql: graphqlConfig(parsed.data),
    logLevel: values.LOG_LEVEL,
    warnings: present.flatMap(([name, value = '']) => unknownVariable(name, value)),
  }
}

function graphqlConfig(values: z.output<typeof variables>): GraphqlConfig {
  const inProduction = values.NODE_ENV === 'production'
  const introspection = values.FAIRLEAD_GRAPHQL_INTROSPECTION
  return {
    introspection: introspection === undefined ? !inProduction : introspection === 'on',
    graphiql: !inProduction,
    documents: values.FAIRLEAD_GRAPHQL_DOCUMENTS,
    onlyDocuments: values.FAIRLEAD_GRAPHQL_ONLY_DOCUMENTS === 'on',
  }
}

/** Nodes on one database share the key. A key in the data directory would differ between them. */
function missingSecretKey({ DATABASE_URL, FAIRLEAD_SECRET_KEY }: Readonly<Record<string, string | undefined>>) {
  if (DATABASE_URL === undefined || FAIRLEAD_SECRET_KEY !== undefined) return []
  return [
    'FAIRLEAD_SECRET_KEY is required with DATABASE_URL, and must be the same on every node; generate one with "openssl rand -hex 32"',
  ]
}

function badAdminPassword({ FAIRLEAD_ADMIN_EMAIL, FAIRLEAD_ADMIN_PASSWORD }: z.output<typeof variables>): string[] {
  if (FAIRLEAD_ADMIN_PASSWORD === undefined) return []
  const issue = passwordIssue(FAIRLEAD_ADMIN_PASSWORD, [FAIRLEAD_ADMIN_EMAIL])
  return issue === undefined ? [] : [`FAIRLEAD_ADMIN_PASSWORD ${issue}`]
}

/** A misspelled variable would otherwise be ignored silently. */
function unknownVariable(name: string, value: string): string[] {
  if (!name.startsWith(ownPrefix) || name in variables.shape || isServiceLink(name, value)) return []
  const meant = nearest(name, Object.keys(variables.shape))
  return [`Unknown environment variable ${name}${meant ? `; did you mean ${meant}?` : ''}`]
}

/** Kubernetes sets such variables in every pod for a Service whose name starts with "fairlead". */
function isServiceLink(name: string, value: string): boolean {
  return (
    /_SERVICE_(HOST|PORT(_\w+)?)$/.test(name) ||
    /_PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?$/.test(name) ||
    (name.endsWith('_PORT') && /^(tcp|udp|sctp):\/\//.test(value))
  )
}

/** An error that the operator can fix. The message says how, and never contains the value of a secret. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}
