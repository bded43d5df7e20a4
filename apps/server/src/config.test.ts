import { describe, expect, test } from 'vitest'
import { changedVariables, readConfig, ConfigError } from './config.ts'

describe('the configuration', () => {
  test('the configuration has a default for every variable', () => {
    expect(readConfig({})).toMatchObject({
      host: '127.0.0.1',
      port: 8080,
      baseUrl: undefined,
      dataDirectory: './data',
      providers: 'auto',
      redisUrl: undefined,
      configFile: undefined,
      adminEmail: 'admin@localhost.localdomain',
      maxBodyBytes: undefined,
      maxHeldBodyBytes: undefined,
      maxConnectionsPerNetwork: undefined,
      drainDelayMs: 0,
      drainTimeoutMs: 30_000,
      trustedProxies: 0,
      anonymousRequestsPerMinute: 600,
      corsOrigins: [],
      webhookNetworks: [],
      mediaNetworks: [],
      metricsAddress: undefined,
      graphql: { introspection: true, graphiql: true, documents: undefined, onlyDocuments: false },
      logLevel: 'info',
      warnings: [],
    })
  })

  test.each([
    ['PORT', '0', { port: 0 }],
    ['PORT', '65535', { port: 65_535 }],
    ['FAIRLEAD_RETENTION_IMAGES', '7', { imageDays: 7 }],
    ['FAIRLEAD_RETENTION_AUDIT', '3650', { auditDays: 3_650 }],
    ['FAIRLEAD_RETENTION_TOTALS', '24', { totalMonths: 24 }],
    ['HOST', '::1', { host: '::1' }],
    ['FAIRLEAD_BASE_URL', 'https://ai.example.com/', { baseUrl: 'https://ai.example.com' }],
    ['FAIRLEAD_BASE_URL', 'http://10.0.0.1:81/ai//', { baseUrl: 'http://10.0.0.1:81/ai' }],
    ['FAIRLEAD_DATA_DIR', '/var/lib/fairlead', { dataDirectory: '/var/lib/fairlead' }],
    ['FAIRLEAD_CONFIG', '/etc/fairlead.json', { configFile: '/etc/fairlead.json' }],
    ['FAIRLEAD_PROVIDERS', 'auto', { providers: 'auto' }],
    ['FAIRLEAD_PROVIDERS', ' local , openai', { providers: ['local', 'openai'] }],
    ['REDIS_URL', 'redis://localhost:6379/2', { redisUrl: 'redis://localhost:6379/2' }],
    ['REDIS_URL', 'rediss://ada:hush@cache.example.com', { redisUrl: 'rediss://ada:hush@cache.example.com' }],
    ['FAIRLEAD_ADMIN_EMAIL', 'ada@example.com', { adminEmail: 'ada@example.com' }],
    ['FAIRLEAD_MAX_BODY_BYTES', '1024', { maxBodyBytes: 1_024 }],
    ['FAIRLEAD_MAX_BODY_BYTES', '67108864', { maxBodyBytes: 67_108_864 }],
    ['FAIRLEAD_MAX_CONNECTIONS_PER_NETWORK', '100', { maxConnectionsPerNetwork: 100 }],
    ['FAIRLEAD_MAX_HELD_BODY_BYTES', '33554432', { maxHeldBodyBytes: 33_554_432 }],
    ['FAIRLEAD_WRITTEN_BYTES_PER_DAY', '50000000', { writtenBytesPerDay: 50_000_000 }],
    ['FAIRLEAD_WRITTEN_BYTES_PER_DAY', '0', { writtenBytesPerDay: Infinity }],
    ['FAIRLEAD_RETENTION_IMAGE_BYTES', '0', { imageBytes: Infinity }],
    ['FAIRLEAD_DEMO', 'on', { demo: true }],
    ['FAIRLEAD_DRAIN_DELAY', '5', { drainDelayMs: 5_000 }],
    ['FAIRLEAD_DRAIN_TIMEOUT', '120', { drainTimeoutMs: 120_000 }],
    ['FAIRLEAD_WORKERS', '4', { workers: 4 }],
    ['FAIRLEAD_TRUST_PROXY', '2', { trustedProxies: 2 }],
    ['FAIRLEAD_ANONYMOUS_REQUESTS_PER_MINUTE', '0', { anonymousRequestsPerMinute: 0 }],
    [
      'FAIRLEAD_CORS_ORIGINS',
      'https://app.example.com, http://localhost:3000',
      { corsOrigins: ['https://app.example.com', 'http://localhost:3000'] },
    ],
    [
      'FAIRLEAD_WEBHOOKS_ALLOW_NETWORKS',
      '10.0.0.0/8, ::1,hooks.internal',
      { webhookNetworks: ['10.0.0.0/8', '::1', 'hooks.internal'] },
    ],
    [
      'FAIRLEAD_MEDIA_ALLOW_NETWORKS',
      '10.0.0.0/8,images.internal',
      { mediaNetworks: ['10.0.0.0/8', 'images.internal'] },
    ],
    ['FAIRLEAD_METRICS_ADDRESS', '127.0.0.1:9464', { metricsAddress: { host: '127.0.0.1', port: 9_464 } }],
    ['FAIRLEAD_METRICS_ADDRESS', '[::1]:9464', { metricsAddress: { host: '::1', port: 9_464 } }],
    ['NODE_ENV', 'production', { graphql: { introspection: false, graphiql: false } }],
    ['FAIRLEAD_GRAPHQL_INTROSPECTION', 'off', { graphql: { introspection: false, graphiql: true } }],
    ['FAIRLEAD_GRAPHQL_DOCUMENTS', '/documents.json', { graphql: { documents: '/documents.json' } }],
    ['FAIRLEAD_GRAPHQL_ONLY_DOCUMENTS', 'on', { graphql: { onlyDocuments: true } }],
    ['LOG_LEVEL', 'debug', { logLevel: 'debug' }],
    ['OTEL_SDK_DISABLED', 'true', { otelDisabled: true }],
    ['OTEL_METRIC_EXPORT_INTERVAL', '5000', { metricExportIntervalMs: 5_000 }],
    ['OTEL_TRACES_SAMPLER', 'traceidratio', { tracesSampler: 'traceidratio' }],
    ['OTEL_TRACES_SAMPLER_ARG', '0.25', { tracesSampleRatio: 0.25 }],
  ])('the configuration reads %s=%s', (name, value, expected) => {
    expect(readConfig({ [name]: value })).toMatchObject(expected)
  })

  test.each([
    'PORT',
    'HOST',
    'FAIRLEAD_BASE_URL',
    'FAIRLEAD_DATA_DIR',
    'FAIRLEAD_CONFIG',
    'FAIRLEAD_PROVIDERS',
    'FAIRLEAD_LOCAL_MODEL',
    'FAIRLEAD_ADMIN_EMAIL',
    'FAIRLEAD_MAX_BODY_BYTES',
    'FAIRLEAD_MAX_HELD_BODY_BYTES',
    'FAIRLEAD_MAX_CONNECTIONS_PER_NETWORK',
    'FAIRLEAD_TRUST_PROXY',
    'FAIRLEAD_ANONYMOUS_REQUESTS_PER_MINUTE',
    'FAIRLEAD_CORS_ORIGINS',
    'FAIRLEAD_METRICS_ADDRESS',
    'FAIRLEAD_WORKERS',
    'LOG_LEVEL',
    'DATABASE_URL',
    'REDIS_URL',
  ])('the configuration treats an empty %s as unset', (name) => {
    expect(readConfig({ [name]: '' })).toEqual(readConfig({}))
  })

  test('the configuration ignores variables of other programs', () => {
    expect(readConfig({ PATH: '/bin', fairlead_port: '1', MY_FAIRLEAD_X: '1' })).toEqual(readConfig({}))
  })
})

/** The error message for an environment. */
function refusal(environment: Record<string, string>): string {
  try {
    readConfig(environment)
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
  return 'nothing'
}

describe('an invalid variable', () => {
  test.each([
    ['FAIRLEAD_RETENTION_EVENTS', '4', 'must be a whole number from 5 to 36500'],
    ['FAIRLEAD_RETENTION_TOTALS', '1', 'must be a whole number from 2 to 1200'],
    ['FAIRLEAD_S3_REGION', 'eu-central-1', 'has no effect without FAIRLEAD_S3_BUCKET: set that too'],
    ['FAIRLEAD_S3_PREFIX', 'images/', 'has no effect without FAIRLEAD_S3_BUCKET: set that too'],
    [
      'FAIRLEAD_USAGE_EXPORT',
      'file:/var/usage,/var/more',
      'contains "/var/more", which is not a folder, a bucket, or otlp; write a list such as file:/var/lib/fairlead/usage,s3://company-usage/fairlead,otlp',
    ],
    ['FAIRLEAD_USAGE_EXPORT_INTERVAL', '0', 'must be a whole number from 1 to 86400'],
    ['PORT', '-1', 'must be a whole number from 0 to 65535'],
    ['PORT', '65536', 'must be a whole number from 0 to 65535'],
    ['PORT', '8080x', 'must be a whole number from 0 to 65535'],
    ['PORT', '80.5', 'must be a whole number from 0 to 65535'],
    ['PORT', '0x50', 'must be a whole number from 0 to 65535'],
    ['FAIRLEAD_BASE_URL', 'ai.example.com', 'must be an http or https URL, such as https://ai.example.com'],
    ['FAIRLEAD_BASE_URL', 'ftp://a', 'must be an http or https URL, such as https://ai.example.com'],
    ['FAIRLEAD_BASE_URL', 'javascript:1', 'must be an http or https URL, such as https://ai.example.com'],
    ['FAIRLEAD_ADMIN_EMAIL', 'admin', 'must be an email address'],
    ['FAIRLEAD_DEMO', 'yes', 'must be on or off'],
    ['FAIRLEAD_DRAIN_DELAY', '1.5', 'must be a whole number from 0 to 300'],
    ['FAIRLEAD_DRAIN_TIMEOUT', '3601', 'must be a whole number from 0 to 3600'],
    ['FAIRLEAD_WORKERS', '0', 'must be a whole number from 1 to 64'],
    ['FAIRLEAD_WORKERS', 'auto', 'must be a whole number from 1 to 64'],
    ['FAIRLEAD_TRUST_PROXY', 'true', 'must be a whole number from 0 to 10'],
    ['FAIRLEAD_TRUST_PROXY', '11', 'must be a whole number from 0 to 10'],
    ['FAIRLEAD_ANONYMOUS_REQUESTS_PER_MINUTE', 'off', 'must be a whole number from 0 to 1000000'],
    ['FAIRLEAD_CORS_ORIGINS', '*', 'contains "*", which is not an origin'],
    ['FAIRLEAD_CORS_ORIGINS', 'null', 'contains "null", which is not an origin'],
    ['FAIRLEAD_CORS_ORIGINS', 'https://a.example/', 'contains "https://a.example/", which is not an origin'],
    ['FAIRLEAD_CORS_ORIGINS', 'https://*.example', 'contains "https://*.example", which is not an origin'],
    ['FAIRLEAD_CORS_ORIGINS', 'https://a.example,', 'contains "", which is not an origin'],
    ['FAIRLEAD_METRICS_ADDRESS', '9464', 'must be an address and a port, such as 127.0.0.1:9464'],
    ['FAIRLEAD_METRICS_ADDRESS', ':9464', 'must be an address and a port, such as 127.0.0.1:9464'],
    ['FAIRLEAD_METRICS_ADDRESS', '::1:9464', 'must be an address and a port, such as 127.0.0.1:9464'],
    ['FAIRLEAD_METRICS_ADDRESS', 'a:99999', 'must be an address and a port, such as 127.0.0.1:9464'],
    ['FAIRLEAD_METRICS_ADDRESS', 'http://a:1', 'must be an address and a port, such as 127.0.0.1:9464'],
    ['OTEL_SDK_DISABLED', 'yes', 'must be true or false'],
    ['OTEL_METRIC_EXPORT_INTERVAL', '60s', 'must be a whole number from 100 to 86400000'],
    ['OTEL_TRACES_SAMPLER', 'jaeger_remote', 'must be one of always_on, always_off, traceidratio'],
    ['OTEL_TRACES_SAMPLER_ARG', '25%', 'must be a number from 0 to 1, such as 0.1'],
    ['LOG_LEVEL', 'loud', 'must be one of fatal, error, warn, info, debug, trace, silent'],
  ])('an invalid variable is rejected with a suggested fix: %s=%s', (name, value, fix) => {
    expect(refusal({ [name]: value })).toContain(`${name} ${fix}`)
  })

  test('an invalid variable is reported together with all other invalid ones', () => {
    expect(refusal({ PORT: 'x', LOG_LEVEL: 'x', FAIRLEAD_SIGNUP: 'x' }).split('\n')).toHaveLength(3)
  })
})

describe('an unknown variable', () => {
  test.each([
    ['FAIRLEAD_BASEURL', 'FAIRLEAD_BASE_URL'],
    ['FAIRLEAD_PROVIDER', 'FAIRLEAD_PROVIDERS'],
    ['FAIRLEAD_CORS_ORIGIN', 'FAIRLEAD_CORS_ORIGINS'],
    ['FAIRLEAD_DATADIR', 'FAIRLEAD_DATA_DIR'],
    ['FAIRLEAD_PORT', 'PORT'],
    ['FAIRLEAD_DATABASE_URL', 'DATABASE_URL'],
  ])('an unknown variable is a warning with the nearest name: %s', (name, meant) => {
    expect(readConfig({ [name]: 'x' }).warnings).toEqual([
      `Unknown environment variable ${name}; did you mean ${meant}?`,
    ])
  })

  test('an unknown variable is a warning without a suggestion when no name is near', () => {
    expect(readConfig({ FAIRLEAD_COLOR_OF_THE_SEA: 'blue' }).warnings).toEqual([
      'Unknown environment variable FAIRLEAD_COLOR_OF_THE_SEA',
    ])
  })

  test('an unknown variable does not hide an invalid value of a known one', () => {
    expect(refusal({ FAIRLEAD_BASEURL: 'x', FAIRLEAD_WORKERS: '0' })).toBe(
      'FAIRLEAD_WORKERS must be a whole number from 1 to 64',
    )
  })

  test('an unknown variable is ignored when Kubernetes sets it for a Service called "fairlead" or "fairlead-cache"', () => {
    const injected = {
      FAIRLEAD_SERVICE_HOST: '10.0.0.7',
      FAIRLEAD_SERVICE_PORT: '8080',
      FAIRLEAD_SERVICE_PORT_HTTP: '8080',
      FAIRLEAD_PORT: 'tcp://10.0.0.7:8080',
      FAIRLEAD_PORT_8080_TCP: 'tcp://10.0.0.7:8080',
      FAIRLEAD_PORT_8080_TCP_PROTO: 'tcp',
      FAIRLEAD_PORT_8080_TCP_PORT: '8080',
      FAIRLEAD_PORT_8080_TCP_ADDR: '10.0.0.7',
      FAIRLEAD_CACHE_SERVICE_HOST: '10.0.0.8',
      FAIRLEAD_CACHE_PORT: 'tcp://10.0.0.8:6379',
    }
    expect(readConfig(injected)).toEqual(readConfig({}))
    expect(readConfig({ FAIRLEAD_PORT: '9000' }).warnings).toHaveLength(1)
  })
})

describe('the places that usage is exported to', () => {
  test('the places that usage is exported to are folders, buckets with a prefix, and the collector', () => {
    const variables = {
      FAIRLEAD_USAGE_EXPORT: 'file:/var/usage, s3://company-usage/fairlead, otlp',
      FAIRLEAD_S3_ENDPOINT: 'http://minio.internal:9000',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318',
    }
    expect(readConfig(variables)).toMatchObject({
      usageExport: [
        { kind: 'file', folder: '/var/usage' },
        { kind: 's3', bucket: 'company-usage', prefix: 'fairlead/' },
        { kind: 'otlp' },
      ],
      usageExportMs: 60_000,
      s3: undefined,
      s3Access: { endpoint: 'http://minio.internal:9000' },
    })
  })

  test('the places that usage is exported to need the address of the collector', () => {
    expect(refusal({ FAIRLEAD_USAGE_EXPORT: 'otlp' })).toBe(
      'OTEL_EXPORTER_OTLP_ENDPOINT is required with FAIRLEAD_USAGE_EXPORT=otlp',
    )
  })
})

describe('an empty or infinite limit', () => {
  test.each(['10 megs', '1mb', 'unlimited', 'Infinity', 'NaN', '-1', '0', '1023', '67108865', '1e6', ' 1048576'])(
    'an empty or infinite limit is rejected: %s',
    (value) => {
      expect(refusal({ FAIRLEAD_MAX_BODY_BYTES: value })).toBe(
        'FAIRLEAD_MAX_BODY_BYTES must be a whole number from 1024 to 67108864',
      )
    },
  )
})

describe('the address of a Redis', () => {
  test.each(['http://ada:hush@localhost', 'localhost:6379', 'hush'])(
    'the address of a Redis is rejected with a suggested fix: %s',
    (REDIS_URL) => {
      const said = refusal({ REDIS_URL })
      expect(said).toMatch(/^REDIS_URL must be the URL of a Redis server, such as redis:/)
      expect(said).not.toContain('hush')
    },
  )
})

describe('the configuration of a database', () => {
  const FAIRLEAD_SECRET_KEY = 'k'.repeat(32)

  test.each(['postgres://ada:hush@db.example.com:5432/fairlead', 'postgresql:///fairlead?host=/run/postgresql'])(
    'the configuration of a database takes %s',
    (DATABASE_URL) => {
      expect(readConfig({ DATABASE_URL, FAIRLEAD_SECRET_KEY })).toMatchObject({ databaseUrl: DATABASE_URL })
    },
  )

  test.each([
    ['mysql://ada:hush@localhost/fairlead', 'DATABASE_URL must be the URL of a PostgreSQL database'],
    ['./data/hush.db', 'DATABASE_URL must be the URL of a PostgreSQL database'],
    ['postgres://ada:hush@localhost', 'DATABASE_URL must name a database after the host'],
  ])(
    'the configuration of a database rejects %s with a suggested fix that does not repeat the password',
    (DATABASE_URL, fix) => {
      const read = () => readConfig({ DATABASE_URL, FAIRLEAD_SECRET_KEY })
      expect(read).toThrow(fix)
      expect(read).not.toThrow('hush')
    },
  )

  test('the configuration of a database requires FAIRLEAD_SECRET_KEY', () => {
    const read = () => readConfig({ DATABASE_URL: 'postgres://localhost/fairlead' })
    expect(read).toThrow('FAIRLEAD_SECRET_KEY is required with DATABASE_URL')
  })
})

describe('changedVariables', () => {
  test('changedVariables names each variable with another value, also those of S3', () => {
    const before = { FAIRLEAD_S3_BUCKET: 'images', AWS_ACCESS_KEY_ID: 'one', AWS_SECRET_ACCESS_KEY: 'one' }
    const after = { ...before, AWS_SECRET_ACCESS_KEY: 'two', REDIS_URL: 'redis://cache.internal' }
    expect(changedVariables(readConfig(before), readConfig(after))).toEqual(['AWS_SECRET_ACCESS_KEY', 'REDIS_URL'])
    expect(changedVariables(readConfig(before), readConfig(before))).toEqual([])
  })
})

describe('mail', () => {
  const mail = { FAIRLEAD_SMTP_URL: 'smtp://user:secret@mail.example.com:587', FAIRLEAD_MAIL_FROM: 'ops@example.com' }

  test.for([
    ['FAIRLEAD_MAIL_FROM is required with FAIRLEAD_SMTP_URL', { FAIRLEAD_MAIL_FROM: '' }],
    ['FAIRLEAD_MAIL_FROM has no effect without FAIRLEAD_SMTP_URL', { FAIRLEAD_SMTP_URL: '' }],
    ['FAIRLEAD_MAIL_FROM must be an email address', { FAIRLEAD_MAIL_FROM: 'Fairlead' }],
    ['FAIRLEAD_SMTP_URL must be the URL of a mail server', { FAIRLEAD_SMTP_URL: 'mail.example.com:587' }],
  ] as const)('mail rejects a start with the message %s', ([message, environment]) => {
    expect(() => readConfig({ ...mail, ...environment })).toThrow(message)
  })

  test('mail has a sender, with or without a name', () => {
    const named = { ...mail, FAIRLEAD_MAIL_FROM: 'Fairlead <ops@example.com>' }
    expect([mail, named].map((each) => readConfig(each).mailFrom)).toEqual([
      'ops@example.com',
      'Fairlead <ops@example.com>',
    ])
  })
})

describe('single sign-on', () => {
  const issuer = { FAIRLEAD_OIDC_ISSUER: 'https://id.example.com', FAIRLEAD_OIDC_CLIENT_ID: 'fairlead' }

  test('single sign-on asks for the usual scopes, and links no account that has a password', () => {
    expect(readConfig(issuer)).toMatchObject({
      passwords: true,
      oidcName: 'single sign-on',
      oidcScopes: 'openid profile email',
      oidcGroupsClaim: 'groups',
      oidcLinkByEmail: false,
    })
  })

  test.for([
    ['FAIRLEAD_OIDC_CLIENT_ID is required with FAIRLEAD_OIDC_ISSUER', { FAIRLEAD_OIDC_CLIENT_ID: '' }],
    ['FAIRLEAD_OIDC_ISSUER must be an https URL', { FAIRLEAD_OIDC_ISSUER: 'http://id.example.com' }],
    ['FAIRLEAD_OIDC_SCOPES must be a list with openid', { FAIRLEAD_OIDC_SCOPES: 'email' }],
    ['FAIRLEAD_OIDC_GROUPS contains "ops"', { FAIRLEAD_OIDC_GROUPS: 'ops' }],
    [
      'FAIRLEAD_BASE_URL must be an https URL with FAIRLEAD_OIDC_ISSUER',
      { FAIRLEAD_BASE_URL: 'http://ai.example.com' },
    ],
    ['FAIRLEAD_OIDC_CLIENT_ID has no effect without FAIRLEAD_OIDC_ISSUER', { FAIRLEAD_OIDC_ISSUER: '' }],
    [
      'FAIRLEAD_PASSWORDS=off needs FAIRLEAD_OIDC_ISSUER',
      { FAIRLEAD_OIDC_ISSUER: '', FAIRLEAD_OIDC_CLIENT_ID: '', FAIRLEAD_PASSWORDS: 'off' },
    ],
  ] as const)('single sign-on rejects a start with the message %s', ([message, environment]) => {
    expect(() => readConfig({ ...issuer, ...environment })).toThrow(message)
  })

  test.for(['http://127.0.0.1:9000', 'http://localhost:9000/realms/x', 'https://id.example.com/'])(
    'single sign-on takes the issuer %s as it is',
    (url) => {
      expect(readConfig({ ...issuer, FAIRLEAD_OIDC_ISSUER: url }).oidcIssuer).toBe(url)
    },
  )
})

describe('FAIRLEAD_ADMIN_SECOND_FACTOR', () => {
  const required = { FAIRLEAD_ADMIN_SECOND_FACTOR: 'required' }

  test('FAIRLEAD_ADMIN_SECOND_FACTOR is optional by default, and takes two values', () => {
    expect(readConfig({}).adminSecondFactor).toBe('optional')
    expect(readConfig(required).adminSecondFactor).toBe('required')
    expect(() => readConfig({ FAIRLEAD_ADMIN_SECOND_FACTOR: 'on' })).toThrow('must be optional or required')
  })

  test.for([
    { FAIRLEAD_BASE_URL: 'http://ai.example.com' },
    { FAIRLEAD_BASE_URL: 'https://192.0.2.1' },
    { FAIRLEAD_BASE_URL: 'https://[2001:db8::1]' },
    { HOST: '0.0.0.0' },
  ])('FAIRLEAD_ADMIN_SECOND_FACTOR rejects a start at an address without passkeys: %j', (environment) => {
    expect(() => readConfig({ ...required, ...environment })).toThrow(
      'needs FAIRLEAD_BASE_URL with https and a host name',
    )
  })

  test.for([
    { FAIRLEAD_BASE_URL: 'https://ai.example.com/fairlead', HOST: '0.0.0.0' },
    { FAIRLEAD_BASE_URL: 'http://localhost:9000' },
    { HOST: '::1' },
  ])('FAIRLEAD_ADMIN_SECOND_FACTOR starts at an address with passkeys: %j', (environment) => {
    expect(readConfig({ ...required, ...environment }).adminSecondFactor).toBe('required')
  })
})
