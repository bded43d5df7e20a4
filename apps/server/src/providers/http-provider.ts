import type { Provider } from '@fairlead/core/provider'
import * as z from 'zod'

export type Environment = Readonly<Record<string, string | undefined>>
export type Options = Readonly<Record<string, unknown>>

/** Whether a server responds at a URL within 300 ms. */
export type Probe = (url: string) => Promise<boolean>

/** A provider that the service knows by a short name. Its package is loaded when it is created. */
export interface BuiltInProvider {
  /** The reason that enables it if nothing is configured, for the operator; undefined if there is none. */
  enabledBy(environment: Environment, probe: Probe): Promise<string | undefined>
  /** The environment variables that it reads: a list of names for each setting. Default: none. */
  readonly variables?: readonly (readonly string[])[]
  /** Options from the environment, which the configuration may override. */
  fromEnvironment(environment: Environment): Options
  /** The schema of its options. */
  readonly options: z.ZodObject
  make(options: Options): Promise<Provider>
}

export interface HttpProviderFacts {
  /** The usual variables for its API key. The first that is set is used. */
  readonly apiKey?: string | readonly string[] | undefined
  /** The usual variable for another base URL. */
  readonly baseUrl?: string | undefined
  /** Whether it has a default base URL. Default: true. */
  readonly hasBaseUrl?: boolean
  /** Whether it requires an API key. Default: true. */
  readonly requiresKey?: boolean
  /** Options besides the common ones. */
  readonly options?: z.core.$ZodLooseShape
  make(options: Options): Promise<Provider>
}

const milliseconds = z.int().min(1)

/** The options of every HTTP provider. */
const common = {
  id: z.string().optional(),
  apiKey: z.union([z.string(), z.array(z.string()).min(1)], { error: 'must be a key, or a list of keys' }).optional(),
  baseUrl: z.string().optional(),
  headers: z.record(z.string(), z.string()).optional(),
  timeouts: z
    .strictObject({
      connectMs: milliseconds.optional(),
      firstByteMs: milliseconds.optional(),
      idleMs: milliseconds.optional(),
    })
    .optional(),
  dispatcher: z.unknown().optional(),
  rateLimitHeaders: z.boolean({ error: 'must be true or false' }).optional(),
  allow: z.array(z.string(), { error: 'must be a list of names, such as ["service_tier"]' }).optional(),
}

/** A provider that an API key in the environment enables. */
export function httpProvider(facts: HttpProviderFacts): BuiltInProvider {
  const { hasBaseUrl = true, requiresKey = true } = facts
  const keyVariables = [facts.apiKey ?? []].flat()
  const baseUrlVariables = [facts.baseUrl ?? []].flat()
  return {
    async enabledBy(environment) {
      const [address] = setVariables(environment, baseUrlVariables)
      const [key, ...others] = setVariables(environment, keyVariables)
      const unused = others.filter((other) => environment[other] !== environment[key ?? ''])
      const reason = unused.length > 0 ? `${key}, which takes precedence over ${unused.join(' and ')}` : key
      if (!hasBaseUrl) return key && address
      // A base URL that was set long ago, or for another program, is easily forgotten.
      return requiresKey ? [reason, address].filter(Boolean).join(' with ') || undefined : undefined
    },
    variables: [keyVariables, baseUrlVariables],
    fromEnvironment: (environment) => ({
      ...named('apiKey', environment, keyVariables),
      ...named('baseUrl', environment, baseUrlVariables),
    }),
    options: z
      .strictObject({ ...common, ...facts.options })
      .refine(({ apiKey, baseUrl }) => apiKey !== undefined || baseUrl !== undefined || !requiresKey, {
        path: ['apiKey'],
        error: `is missing: ${fixFor('apiKey', keyVariables)}`,
      })
      .refine(({ baseUrl }) => baseUrl !== undefined || hasBaseUrl, {
        path: ['baseUrl'],
        error: `is missing: ${fixFor('baseUrl', baseUrlVariables)}`,
      }),
    make: facts.make,
  }
}

/** The treatment of fields of the provider's API that Fairlead does not know. */
export const unknownFields = z.enum(['forward', 'refuse'], { error: 'must be "forward" or "refuse"' }).optional()

/** A list of models, or a word that selects them. */
export const modelsOrFetched = z
  .union([z.array(z.unknown()), z.enum(['fetched', 'catalog', 'any'])], {
    error: 'must be a list of models, or "fetched", "catalog", or "any"',
  })
  .superRefine((models, { addIssue }) => {
    for (const [index, model] of Array.isArray(models) ? models.entries() : []) {
      if (!modelFields.safeParse(model).success) addIssue({ code: 'custom', path: [index], message: mustBeModel })
    }
  })
  .optional()

/** The required fields of a model. Core skips an invalid model and only logs it. */
const modelFields = z.looseObject({
  type: z.enum(['text', 'image']),
  id: z.string().min(1),
  name: z.string(),
  description: z.string(),
  maxTokens: z.int().min(1),
})
const mustBeModel = 'must be a model: { "type": "text", "id": "…", "name": "…", "description": "…", "maxTokens": 4096 }'

/** The variables that are set. */
function setVariables(environment: Environment, variables: readonly string[]): readonly string[] {
  return variables.filter((variable) => environment[variable])
}

function named(option: string, environment: Environment, variables: readonly string[]): Options {
  const [variable] = setVariables(environment, variables)
  return variable === undefined ? {} : { [option]: environment[variable] }
}

function fixFor(option: string, variables: readonly string[]): string {
  return variables.length === 0 ? `give ${option}` : `set ${variables.join(' or ')}, or give ${option}`
}
