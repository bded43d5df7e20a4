import { loopbackUrl } from './config-values.ts'
import { formatAddress } from './listen.ts'
import { passkeyOrigin } from './passkey-origin.ts'

/** Variables by name. Those that are empty count as unset, and are left out. */
export type Environment = Readonly<Record<string, string | undefined>>

/**
 * The faults of variables that do not fit together, each with a fix.
 *
 * @param known the names of all variables
 */
export function combinationIssues(set: Environment, known: readonly string[]): readonly string[] {
  return [
    ...missingSecretKey(set),
    ...missingBucket(set),
    ...missingCollector(set),
    ...missingIssuer(set, known),
    ...missingSender(set),
    ...missingPasskeys(set),
  ]
}

/** Nodes on one database share the key. A key in the data directory would differ between them. */
function missingSecretKey({ DATABASE_URL, FAIRLEAD_SECRET_KEY }: Environment) {
  if (DATABASE_URL === undefined || FAIRLEAD_SECRET_KEY !== undefined) return []
  return [
    'FAIRLEAD_SECRET_KEY is required with DATABASE_URL, and must be the same on every node; generate one with "openssl rand -hex 32"',
  ]
}

/** Without a bucket, images would be stored in the data directory. The other buckets are of the usage export. */
function missingBucket(set: Environment): string[] {
  const { FAIRLEAD_S3_BUCKET: bucket, FAIRLEAD_USAGE_EXPORT: targets = '' } = set
  const shared = ['FAIRLEAD_S3_ENDPOINT', 'FAIRLEAD_S3_REGION']
  const unused = [...(targets.includes('s3://') ? [] : shared), 'FAIRLEAD_S3_PREFIX'].find((name) => set[name])
  return unused === undefined || bucket ? [] : [`${unused} has no effect without FAIRLEAD_S3_BUCKET: set that too`]
}

/** Usage records go to the collector that spans go to. */
function missingCollector(set: Environment): string[] {
  const targets = set['FAIRLEAD_USAGE_EXPORT']?.split(',').map((target) => target.trim())
  return targets?.includes('otlp') && set['OTEL_EXPORTER_OTLP_ENDPOINT'] === undefined
    ? ['OTEL_EXPORTER_OTLP_ENDPOINT is required with FAIRLEAD_USAGE_EXPORT=otlp']
    : []
}

/** An admin who needs a passkey could not add one at an address where there are none. */
function missingPasskeys(set: Environment): string[] {
  const { FAIRLEAD_ADMIN_SECOND_FACTOR: factor, FAIRLEAD_PASSWORDS: passwords, HOST = '127.0.0.1' } = set
  if (factor !== 'required' || passwords === 'off') return []
  const url = set['FAIRLEAD_BASE_URL'] ?? formatAddress(HOST, 0)
  return !URL.canParse(url) || passkeyOrigin(url) !== undefined
    ? []
    : [
        'FAIRLEAD_ADMIN_SECOND_FACTOR=required needs FAIRLEAD_BASE_URL with https and a host name: browsers have passkeys only there',
      ]
}

/** A mail server rejects mail without a sender that it knows. */
function missingSender(set: Environment): string[] {
  const { FAIRLEAD_SMTP_URL: url, FAIRLEAD_MAIL_FROM: sender } = set
  if (url !== undefined && sender === undefined) return ['FAIRLEAD_MAIL_FROM is required with FAIRLEAD_SMTP_URL']
  if (url === undefined && sender !== undefined)
    return ['FAIRLEAD_MAIL_FROM has no effect without FAIRLEAD_SMTP_URL: set that too']
  return []
}

/** The variables that single sign-on lacks, and the variables that need single sign-on. */
function missingIssuer(set: Environment, known: readonly string[]): string[] {
  if (set['FAIRLEAD_OIDC_ISSUER'] === undefined) {
    const other = Object.keys(set).find((name) => name.startsWith('FAIRLEAD_OIDC_') && known.includes(name))
    return [
      ...(other === undefined ? [] : [`${other} has no effect without FAIRLEAD_OIDC_ISSUER: set that too`]),
      ...(set['FAIRLEAD_PASSWORDS'] === 'off'
        ? ['FAIRLEAD_PASSWORDS=off needs FAIRLEAD_OIDC_ISSUER: nobody could log in to the dashboard otherwise']
        : []),
    ]
  }
  const { FAIRLEAD_OIDC_CLIENT_ID: clientId, FAIRLEAD_BASE_URL: baseUrl } = set
  return [
    ...(clientId === undefined
      ? [
          'FAIRLEAD_OIDC_CLIENT_ID is required with FAIRLEAD_OIDC_ISSUER: the provider shows it where the service is registered',
        ]
      : []),
    ...(baseUrl?.startsWith('http:') && !loopbackUrl.test(baseUrl)
      ? [
          'FAIRLEAD_BASE_URL must be an https URL with FAIRLEAD_OIDC_ISSUER: browsers keep the cookie of a sign-in only over https',
        ]
      : []),
  ]
}
