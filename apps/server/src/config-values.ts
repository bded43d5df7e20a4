import { isNetworkOrHost } from '@fairlead/core/server'
import * as z from 'zod'

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

/** The samplers of the OpenTelemetry specification that need nothing but a ratio. */
export const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const

export const integer = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, { error: `must be a whole number from ${min} to ${max}` })
    .transform(Number)
    .refine((value) => value >= min && value <= max, { error: `must be a whole number from ${min} to ${max}` })

/** A limit in bytes; 0 means none. */
export const bytesOrNoLimit = integer(0, 1e15).transform((bytes) => (bytes === 0 ? Infinity : bytes))

export const httpUrl = z
  .string()
  .refine((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''), {
    error: 'must be an http or https URL, such as https://ai.example.com',
  })
  .transform((text) => text.replace(/\/+$/, ''))

/** First parts of paths of the service, which a request could mean in two ways if the base URL had them too. */
const ownPaths =
  /^\/(admin|analyze|analyzers|anthropic|api-keys|audit|auth|dashboard|docs|embeddings|events|generate|graphql|images|invitations|models|openai|projects|providers|requests|sessions|shipments|usage|users|v1|webhooks)$/

export const publicUrl = httpUrl.refine((text) => !ownPaths.test(URL.parse(text)?.pathname ?? ''), {
  error: "must not have one of the service's own paths, such as /v1; choose another, such as https://example.com/ai",
})

export const loopbackUrl = /^http:\/\/(localhost|127(\.\d+){3}|\[::1\])(:\d+)?(\/|$)/i

/** Not changed: providers compare it exactly. */
export const issuerUrl = z
  .string()
  .refine((text) => URL.canParse(text) && (/^https:/i.test(text) || loopbackUrl.test(text)), {
    error: 'must be an https URL, such as https://login.example.com (http only for a provider on this machine)',
  })

/** The message never repeats the value, which may contain a password. */
export const postgresUrl = z
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
export const smtpUrl = z.string().refine((text) => /^smtps?:\/\/[^/]/.test(text) && URL.canParse(text), {
  error:
    'must be the URL of a mail server, such as smtp://user:password@mail.example.com:587, or smtps:// for TLS from the start',
})

/** RFC 5322 allows more; a mail server that rejects the address says so. */
export const mailSender = z.string().regex(/^([^<>"\r\n]+ <[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/, {
  error: 'must be an email address, such as fairlead@example.com or Fairlead <fairlead@example.com>',
})

/** The message never repeats the value, which may contain a password. */
export const redisUrl = z.string().refine((text) => /^rediss?:$/.test(URL.parse(text)?.protocol ?? ''), {
  error:
    'must be the URL of a Redis server, such as redis://user:password@cache.example.com:6379, or rediss:// over TLS',
})

const listOf = (isValid: (entry: string) => boolean, kind: string, example: string) =>
  z.string().transform((text, context): readonly string[] => {
    const entries = text.split(',').map((entry) => entry.trim())
    for (const entry of entries.filter((each) => !isValid(each))) {
      context.addIssue(`contains "${entry}", which is not ${kind}; write a list such as ${example}`)
    }
    return entries
  })

export const originList = listOf(
  (text) => /^https?:\/\/[^*]/.test(text) && URL.parse(text)?.origin === text,
  'an origin',
  'https://app.example.com,http://localhost:3000',
)

export const networkList = listOf(isNetworkOrHost, 'an IP address, CIDR or host name', '10.0.0.0/8,hooks.internal')

export const socketAddress = z.string().transform((text, context) => {
  const [, host = '', bracketed = host, port = ''] = /^(\[([\da-f:]+)\]|[^:[\]\s/]+):(\d{1,5})$/i.exec(text) ?? []
  if (bracketed !== '' && Number(port) <= 65_535) return { host: bracketed, port: Number(port) }
  context.addIssue({ code: 'custom', message: 'must be an address and a port, such as 127.0.0.1:9464' })
  return z.NEVER
})

export const providerList = z
  .string()
  .transform((text) => (text.trim() === 'auto' ? ('auto' as const) : text.split(',').map((name) => name.trim())))

/** A place that usage records are exported to. */
export type ExportTarget =
  | { readonly kind: 'file'; readonly folder: string }
  | { readonly kind: 's3'; readonly bucket: string; readonly prefix: string }
  | { readonly kind: 'otlp' }

export const exportTargets = listOf(
  (text) => toExportTarget(text) !== undefined,
  'a folder, a bucket, or otlp',
  'file:/var/lib/fairlead/usage,s3://company-usage/fairlead,otlp',
).transform((targets) => targets.map((text) => toExportTarget(text)!))

function toExportTarget(text: string): ExportTarget | undefined {
  const [, folder] = /^file:(.+)$/.exec(text) ?? []
  if (folder !== undefined) return { kind: 'file', folder }
  const [, bucket, path] = /^s3:\/\/([^/]+)(?:\/(.*))?$/.exec(text) ?? []
  if (bucket !== undefined) return { kind: 's3', bucket, prefix: path ? `${path.replace(/\/+$/, '')}/` : '' }
  return text === 'otlp' ? { kind: 'otlp' } : undefined
}

export const secretKey = z
  .string()
  .min(32, { error: 'must have at least 32 characters; generate one with "openssl rand -hex 32"' })
  .optional()

export const trueOrFalse = z
  .enum(['true', 'false'], { error: 'must be true or false' })
  .transform((word) => word === 'true')

export const ratio = z
  .string()
  .regex(/^(0(\.\d+)?|1(\.0+)?)$/, { error: 'must be a number from 0 to 1, such as 0.1' })
  .transform(Number)

/** A century. */
export const maxDays = 36_500

export const onOrOff = z.enum(['on', 'off'], { error: 'must be on or off' }).transform((word) => word === 'on')
