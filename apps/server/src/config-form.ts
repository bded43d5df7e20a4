import { type FairleadConfig, type Feature, issuesOf, rateLimitOptions, routingOptions } from '@fairlead/core'
import { z } from 'zod'
import { ConfigError } from './config-error.ts'

/** Which of them it is, and whether it is in order, is found out when it is loaded. */
const entry = z.unknown().refine((value) => typeof value === 'string' || isRecord(value), {
  error: 'must be the name of a provider, { use: … } with its options, or a provider',
})

/** Whether routes lead to models that are there, core finds out when it knows the providers. */
const form = routingOptions.extend({
  providers: z
    .array(entry)
    .min(1, { error: 'must hold at least one; left out, those are taken that the environment switches on' })
    .optional(),
  analysisModel: z.string().optional(),
  features: z.array(z.custom<Feature>(isFeature, { error: 'must be a feature, made by defineFeature' })).optional(),
  rateLimits: rateLimitOptions.optional(),
  cache: z.strictObject({ maxBytes: z.int().min(1_048_576).max(1_099_511_627_776).optional() }).optional(),
}) satisfies z.ZodType<{ [Field in keyof FairleadConfig]?: unknown }>

/** The configuration, or `ConfigError` with every field at fault. */
export function checkConfigForm(name: string, value: unknown): FairleadConfig {
  if (!isRecord(value)) throw new ConfigError(`${name} must hold an object with settings`)
  const faults = faultsOf(form, value, name)
  if (faults.length > 0) throw new ConfigError(faults.join('\n'))
  return value
}

/**
 * A line for each fault: `<place>: <field> <what is wrong>`. Values are never repeated: one may be a secret.
 *
 * @param root the field that the value is of
 */
export function faultsOf(schema: z.ZodObject, value: unknown, place: string, root?: string): readonly string[] {
  return issuesOf(schema, value).map(({ field, issue, suggestion }) => {
    const meant = suggestion === undefined ? '' : `; did you mean ${under(root, suggestion)}?`
    return `${place}: ${under(root, field)} ${issue}${meant}`
  })
}

function under(root: string | undefined, field: string | null): string {
  return [root, field].filter((part) => typeof part === 'string').join('.')
}

function isFeature(value: unknown): boolean {
  return isRecord(value) && typeof value['name'] === 'string' && isRecord(value['operations'])
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
