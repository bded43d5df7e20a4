import { isDeepStrictEqual } from 'node:util'
import { nearest } from '@fairlead/core/feature'
import { passwordIssue } from '@fairlead/accounts/server'
import * as z from 'zod'
import { combinationIssues, type Environment } from './config-combinations.ts'
import { ConfigError } from './config-error.ts'
import {
  logLevels,
  samplers,
  integer,
  bytesOrNoLimit,
  exportTargets,
  httpUrl,
  publicUrl,
  issuerUrl,
  postgresUrl,
  redisUrl,
  originList,
  networkList,
  socketAddress,
  providerList,
  secretKey,
  trueOrFalse,
  ratio,
  maxDays,
  onOrOff,
  mailSender,
  smtpUrl,
} from './config-values.ts'
import { groupGrants } from './oidc/groups.ts'
import { readSecretFiles } from './secret-files.ts'

export { ConfigError }

/** A setting, and the environment variable that it is read from. */
function from<Schema extends z.ZodType>(variable: string, schema: Schema): Schema {
  return schema.meta({ variable })
}

const settings = z.object({
  port: from('PORT', integer(0, 65_535).default(8080)),
  host: from('HOST', z.string().default('127.0.0.1')),
  /** The public URL of the service, without a trailing slash. Default: the address on which it listens. */
  baseUrl: from('FAIRLEAD_BASE_URL', publicUrl.optional()),
  dataDirectory: from('FAIRLEAD_DATA_DIR', z.string().default('./data')),
  /** A file with providers, routes and limits. Undefined: `fairlead.config.ts`, if it exists. */
  configFile: from('FAIRLEAD_CONFIG', z.string().optional()),
  /** The providers to use. `auto`: as the file says, or else all that the environment enables. */
  providers: from('FAIRLEAD_PROVIDERS', providerList.default('auto')),
  /** Whether embedded models stand in for those that clients usually ask for. The provider `local` reads it too. */
  demo: from('FAIRLEAD_DEMO', onOrOff.default(false)),
  /** The provider reads it. */
  localModel: from('FAIRLEAD_LOCAL_MODEL', z.string().optional()),
  adminEmail: from(
    'FAIRLEAD_ADMIN_EMAIL',
    z.email({ error: 'must be an email address' }).default('admin@localhost.localdomain'),
  ),
  /** Default: the first admin has no password. */
  adminPassword: from(
    'FAIRLEAD_ADMIN_PASSWORD',
    z
      .string()
      // Passwords are shorter: `badAdminPassword` rejects the length.
      .transform((text) => (text.length > 1_024 ? text : text.normalize('NFKC')))
      .optional(),
  ),
  /** Whether anyone may sign up. Undefined: see `strictDefaults`. */
  signup: from('FAIRLEAD_SIGNUP', onOrOff.optional()),
  /** Whether the `metadata` of OpenAI's API are tags for every key. Undefined: see `strictDefaults`. */
  tagsFromMetadata: from('FAIRLEAD_TAGS_FROM_METADATA', onOrOff.optional()),
  /** Whether people may log in with a password. */
  passwords: from('FAIRLEAD_PASSWORDS', onOrOff.default(true)),
  /** Whether admins who log in with a password need a passkey, too. */
  adminSecondFactor: from(
    'FAIRLEAD_ADMIN_SECOND_FACTOR',
    z.enum(['optional', 'required'], { error: 'must be optional or required' }).default('optional'),
  ),
  /** How long a session lasts, however often it is refreshed. Undefined: 30 days, and no limit in databases from before. */
  sessionDays: from('FAIRLEAD_SESSION_DAYS', integer(1, maxDays).optional()),
  /** An OpenID Connect provider. Default: none. */
  oidcIssuer: from('FAIRLEAD_OIDC_ISSUER', issuerUrl.optional()),
  oidcClientId: from('FAIRLEAD_OIDC_CLIENT_ID', z.string().optional()),
  oidcClientSecret: from('FAIRLEAD_OIDC_CLIENT_SECRET', z.string().optional()),
  oidcName: from('FAIRLEAD_OIDC_NAME', z.string().default('single sign-on')),
  oidcScopes: from(
    'FAIRLEAD_OIDC_SCOPES',
    z
      .string()
      .regex(/(^| )openid( |$)/, { error: 'must be a list with openid, such as "openid profile email groups"' })
      .default('openid profile email'),
  ),
  /** The rights that the groups of the provider grant. Undefined: none. */
  oidcGroups: from('FAIRLEAD_OIDC_GROUPS', groupGrants.default([])),
  oidcGroupsClaim: from('FAIRLEAD_OIDC_GROUPS_CLAIM', z.string().default('groups')),
  oidcLinkByEmail: from('FAIRLEAD_OIDC_LINK_BY_EMAIL', onOrOff.default(false)),
  /** Whether callers with a budget may call models without a price. Undefined: as the file says. */
  budgetsAllowUnpriced: from('FAIRLEAD_BUDGETS_ALLOW_UNPRICED', onOrOff.optional()),
  /** Default: generated, and stored in the data directory. */
  secretKey: from('FAIRLEAD_SECRET_KEY', secretKey),
  previousSecretKey: from('FAIRLEAD_SECRET_KEY_PREVIOUS', secretKey),
  /** The maximum body size of every operation. Undefined: each operation has its own limit. */
  maxBodyBytes: from('FAIRLEAD_MAX_BODY_BYTES', integer(1_024, 64 * 1_048_576).optional()),
  /**
   * The bytes that an account's changes without a unit may store in a day. Undefined: as the file says, or see
   * `strictDefaults`.
   */
  writtenBytesPerDay: from('FAIRLEAD_WRITTEN_BYTES_PER_DAY', bytesOrNoLimit.optional()),
  /** The bytes of request bodies that each process holds. Undefined: a quarter of its memory. */
  maxHeldBodyBytes: from('FAIRLEAD_MAX_HELD_BODY_BYTES', integer(32 * 1_048_576, 2 ** 40).optional()),
  /** Connections of one public network in each process. Undefined: as many as are left for all others. */
  maxConnectionsPerNetwork: from('FAIRLEAD_MAX_CONNECTIONS_PER_NETWORK', integer(1, 1_000_000).optional()),
  /** How long the port stays open once `/readyz` fails, in milliseconds; the variable is in seconds. */
  drainDelayMs: from(
    'FAIRLEAD_DRAIN_DELAY',
    integer(0, 300)
      .transform((seconds) => seconds * 1_000)
      .default(0),
  ),
  /** How long requests in flight may take when the server stops, in milliseconds; the variable is in seconds. */
  drainTimeoutMs: from(
    'FAIRLEAD_DRAIN_TIMEOUT',
    integer(0, 3_600)
      .transform((seconds) => seconds * 1_000)
      .default(30_000),
  ),
  /** The number of worker processes. */
  workers: from('FAIRLEAD_WORKERS', integer(1, 64).default(1)),
  /** The number of reverse proxies in front of the service, whose `X-Forwarded-For` is trusted. */
  trustedProxies: from('FAIRLEAD_TRUST_PROXY', integer(0, 10).default(0)),
  /** Requests without a valid credential that each network may send, in each process. 0: no limit. */
  anonymousRequestsPerMinute: from('FAIRLEAD_ANONYMOUS_REQUESTS_PER_MINUTE', integer(0, 1_000_000).default(600)),
  /** Origins of the web pages that may call the service. */
  corsOrigins: from('FAIRLEAD_CORS_ORIGINS', originList.default([])),
  /** The server that sends mail. Undefined: no mail is sent. */
  smtpUrl: from('FAIRLEAD_SMTP_URL', smtpUrl.optional()),
  /** The sender of mail. */
  mailFrom: from('FAIRLEAD_MAIL_FROM', mailSender.optional()),
  /** Networks and hosts that webhooks may point to although they are not public. */
  webhookNetworks: from('FAIRLEAD_WEBHOOKS_ALLOW_NETWORKS', networkList.default([])),
  /** Networks and hosts that images and files in messages may be loaded from although they are not public. */
  mediaNetworks: from('FAIRLEAD_MEDIA_ALLOW_NETWORKS', networkList.default([])),
  /** A separate address on which `/metrics` requires no API key. Default: none. */
  metricsAddress: from('FAIRLEAD_METRICS_ADDRESS', socketAddress.optional()),
  introspection: from('FAIRLEAD_GRAPHQL_INTROSPECTION', onOrOff.optional()),
  documents: from('FAIRLEAD_GRAPHQL_DOCUMENTS', z.string().optional()),
  onlyDocuments: from('FAIRLEAD_GRAPHQL_ONLY_DOCUMENTS', onOrOff.default(false)),
  mode: from('NODE_ENV', z.string().optional()),
  logLevel: from('LOG_LEVEL', z.enum(logLevels, { error: `must be one of ${logLevels.join(', ')}` }).default('info')),
  /** The base URL of an OpenTelemetry collector for spans and metrics. Default: none. */
  otlpEndpoint: from('OTEL_EXPORTER_OTLP_ENDPOINT', httpUrl.optional()),
  otelDisabled: from('OTEL_SDK_DISABLED', trueOrFalse.default(false)),
  /** How often metrics are exported, in milliseconds. */
  metricExportIntervalMs: from('OTEL_METRIC_EXPORT_INTERVAL', integer(100, 86_400_000).default(60_000)),
  /** How long an export of metrics may take, in milliseconds. The interval is the maximum. */
  metricExportTimeoutMs: from('OTEL_METRIC_EXPORT_TIMEOUT', integer(1, 86_400_000).default(30_000)),
  tracesSampler: from(
    'OTEL_TRACES_SAMPLER',
    z.enum(samplers, { error: `must be one of ${samplers.join(', ')}` }).default('parentbased_always_on'),
  ),
  /** The share of traces that the samplers with `traceidratio` keep. */
  tracesSampleRatio: from('OTEL_TRACES_SAMPLER_ARG', ratio.default(1)),
  /** A PostgreSQL database. Undefined: SQLite in the data directory. */
  databaseUrl: from('DATABASE_URL', postgresUrl.optional()),
  /** The maximum number of connections of each process to PostgreSQL. Undefined: the default of the stores. */
  poolSize: from('DATABASE_POOL_SIZE', integer(2, 500).optional()),
  /** Whether a start migrates the database. */
  migrate: from('FAIRLEAD_MIGRATE', onOrOff.default(true)),
  /** Where images are stored. Undefined: in the data directory. */
  s3Bucket: from('FAIRLEAD_S3_BUCKET', z.string().optional()),
  /** Default: AWS. */
  s3Endpoint: from('FAIRLEAD_S3_ENDPOINT', httpUrl.optional()),
  s3Region: from('FAIRLEAD_S3_REGION', z.string().optional()),
  s3Prefix: from('FAIRLEAD_S3_PREFIX', z.string().default('')),
  accessKeyId: from('AWS_ACCESS_KEY_ID', z.string().optional()),
  secretAccessKey: from('AWS_SECRET_ACCESS_KEY', z.string().optional()),
  sessionToken: from('AWS_SESSION_TOKEN', z.string().optional()),
  imageDays: from('FAIRLEAD_RETENTION_IMAGES', integer(1, maxDays).optional()),
  /** The images that an account may keep. Undefined: see `strictDefaults`. */
  imageBytes: from('FAIRLEAD_RETENTION_IMAGE_BYTES', bytesOrNoLimit.optional()),
  usageDays: from('FAIRLEAD_RETENTION_USAGE', integer(1, maxDays).optional()),
  eventDays: from('FAIRLEAD_RETENTION_EVENTS', integer(5, maxDays).optional()),
  auditDays: from('FAIRLEAD_RETENTION_AUDIT', integer(1, maxDays).optional()),
  /** Where usage records are exported to. */
  usageExport: from('FAIRLEAD_USAGE_EXPORT', exportTargets.default([])),
  /** How often, in milliseconds; the variable is in seconds. */
  usageExportMs: from(
    'FAIRLEAD_USAGE_EXPORT_INTERVAL',
    integer(1, 86_400)
      .transform((seconds) => seconds * 1_000)
      .default(60_000),
  ),
  /** In months. */
  totalMonths: from('FAIRLEAD_RETENTION_TOTALS', integer(2, 1_200).optional()),
  /** A Redis that caches responses for all nodes. Undefined: each process caches in memory. */
  redisUrl: from('REDIS_URL', redisUrl.optional()),
})

/** By setting. */
const variables = new Map(
  Object.entries(settings.shape).map(([name, schema]) => [name, String(schema.meta()?.['variable'])]),
)

/** The variables whose settings differ, as they do when a file that holds a secret has changed. */
export function changedVariables(before: Config, after: Config): readonly string[] {
  const [old, fresh] = [before, after].map(({ s3Access, ...config }): Readonly<Record<string, unknown>> => ({
    ...config,
    ...s3Access.credentials,
  }))
  return [...variables].flatMap(([setting, variable]) =>
    isDeepStrictEqual(old?.[setting], fresh?.[setting]) ? [] : variable,
  )
}

const ownPrefix = 'FAIRLEAD_'

/** The configuration of the server. */
export type Config = Readonly<ReturnType<typeof readConfig>>

/** The value of `FAIRLEAD_PROVIDERS`, also if other variables are invalid. */
export function readProviderList(environment: Environment) {
  return settings.shape.providers.parse(environment['FAIRLEAD_PROVIDERS'] || undefined)
}

/**
 * Reads the configuration, or throws `ConfigError` with every invalid variable and a suggested fix. An empty variable counts
 * as unset; an unknown one is a warning, because other programs set variables with our prefix too.
 */
export function readConfig(environment: Environment) {
  const { set, unreadable, parsed, invalid } = parse(environment)
  // A secret that cannot be read is not missing.
  const given = { ...set, ...Object.fromEntries([...unreadable.keys()].map((name) => [name, ''])) }
  const issues = [
    ...unreadable.values(),
    ...combinationIssues(given, [...variables.values()]),
    ...invalid.map(({ variable, message }) => `${variable} ${message}`),
  ]
  if (parsed.data) issues.push(...badAdminPassword(parsed.data))
  if (!parsed.success || issues.length > 0) throw new ConfigError(issues.join('\n'))
  return toConfig(parsed.data, set)
}

/**
 * The configuration without the variables that are invalid, which have their defaults, and the names of those. For checks
 * of what the others set.
 */
export function readValidConfig(environment: Environment) {
  const { set, unreadable, invalid } = parse(environment)
  const names = new Set([...unreadable.keys(), ...invalid.map(({ variable }) => variable)])
  const valid = Object.fromEntries(Object.entries(set).filter(([name]) => !names.has(name)))
  return { config: toConfig(settings.parse(readValues(valid)), valid), invalid: names }
}

function parse(environment: Environment) {
  const { result, issues: unreadable } = readSecretFiles(environment)
  const set: Environment = Object.fromEntries(Object.entries(result).filter(([, value]) => value))
  const parsed = settings.safeParse(readValues(set))
  const invalid = (parsed.error?.issues ?? []).map(({ path, message }) => ({
    variable: variables.get(String(path[0]))!,
    message,
  }))
  return { set, unreadable, parsed, invalid }
}

/** By setting. */
function readValues(set: Environment) {
  return Object.fromEntries([...variables].map(([name, variable]) => [name, set[variable]]))
}

function toConfig(parsed: z.output<typeof settings>, set: Environment) {
  const {
    mode,
    introspection,
    documents,
    onlyDocuments,
    s3Bucket: bucket,
    s3Endpoint: endpoint,
    s3Region: region,
    s3Prefix: prefix,
    accessKeyId,
    secretAccessKey,
    sessionToken,
    ...config
  } = parsed
  // Otherwise, the client finds them as every AWS SDK does.
  const credentials =
    accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) } : undefined
  const s3Access = { endpoint, region, credentials }
  const isOpen = mode !== 'production'
  return {
    ...config,
    /** The images. */
    s3: bucket === undefined ? undefined : { ...s3Access, bucket, prefix },
    /** The access that all buckets share. */
    s3Access,
    graphql: {
      /** Whether the schema can be queried, and errors suggest similar names. Default: not in production. */
      introspection: introspection ?? isOpen,
      /** Whether `/graphql` serves GraphiQL to browsers. */
      graphiql: isOpen,
      /** A JSON file with persisted documents by their ids. */
      documents,
      /** Whether only persisted documents are executed. */
      onlyDocuments,
    },
    /** Problems of the environment that do not keep the service from starting. */
    warnings: Object.entries(set).flatMap(([name, value = '']) => unknownVariable(name, value)),
  }
}

function badAdminPassword({ adminEmail, adminPassword }: z.output<typeof settings>): string[] {
  if (adminPassword === undefined) return []
  const issue = passwordIssue(adminPassword, [adminEmail])
  return issue === undefined ? [] : [`FAIRLEAD_ADMIN_PASSWORD ${issue}`]
}

/** A misspelled variable would otherwise be ignored silently. */
function unknownVariable(name: string, value: string): string[] {
  const known = [...variables.values()]
  if (!name.startsWith(ownPrefix) || known.includes(name) || isServiceLink(name, value)) return []
  const bare = name.slice(ownPrefix.length)
  const meant = known.includes(bare) ? bare : nearest(name, known)
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
