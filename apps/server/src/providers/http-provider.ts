import type { Provider } from '@fairlead/core/provider'
import { z } from 'zod'

export type Environment = Readonly<Record<string, string | undefined>>
export type Options = Readonly<Record<string, unknown>>

/** Whether something answers at an address, within a moment. */
export type Probe = (url: string) => Promise<boolean>

/** A provider that the service knows by a short name. Its package is loaded when it is made. */
export interface BuiltInProvider {
  /** What switches it on where nothing is configured, for the operator to read; undefined where nothing does. */
  switchedOn(environment: Environment, probe: Probe): Promise<string | undefined>
  /** What the environment says of it: options that the configuration may override. */
  fromEnvironment(environment: Environment): Options
  /** What may be configured. */
  readonly options: z.ZodObject
  make(options: Options): Promise<Provider>
}

export interface HttpProviderFacts {
  /** The variables that customarily hold its key: the first that is set counts. */
  readonly apiKey?: string | readonly string[] | undefined
  /** The variable that customarily holds another address. */
  readonly baseUrl?: string | undefined
  /** Whether it has an address of its own. Default: true. */
  readonly hasAddress?: boolean
  /** Whether it wants a key at that address. Default: true. */
  readonly wantsKey?: boolean
  /** What may be configured besides what all take. */
  readonly options?: z.core.$ZodLooseShape
  make(options: Options): Promise<Provider>
}

const milliseconds = z.int().min(1)

/** What every provider over HTTP takes. */
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
}

/** A provider that a key in the environment switches on. */
export function httpProvider(facts: HttpProviderFacts): BuiltInProvider {
  const { hasAddress = true, wantsKey = true } = facts
  const keyVariables = [facts.apiKey ?? []].flat()
  const addressVariables = [facts.baseUrl ?? []].flat()
  return {
    async switchedOn(environment) {
      const [address] = areSet(environment, addressVariables)
      const [key, ...others] = areSet(environment, keyVariables)
      const idle = others.filter((other) => environment[other] !== environment[key ?? ''])
      const told = idle.length > 0 ? `${key}, which comes before ${idle.join(' and ')}` : key
      if (!hasAddress) return key && address
      return wantsKey ? (told ?? address) : undefined
    },
    fromEnvironment: (environment) => ({
      ...named('apiKey', environment, keyVariables),
      ...named('baseUrl', environment, addressVariables),
    }),
    options: z
      .strictObject({ ...common, ...facts.options })
      .refine(({ apiKey, baseUrl }) => apiKey !== undefined || baseUrl !== undefined || !wantsKey, {
        path: ['apiKey'],
        error: `is missing: ${mend('apiKey', keyVariables)}`,
      })
      .refine(({ baseUrl }) => baseUrl !== undefined || hasAddress, {
        path: ['baseUrl'],
        error: `is missing: ${mend('baseUrl', addressVariables)}`,
      }),
    make: facts.make,
  }
}

/** Models written out, or the word for asking the upstream what it has. */
export const modelsOrFetched = z
  .union([z.array(z.unknown()), z.literal('fetched')], { error: 'must be a list of models, or "fetched"' })
  .superRefine((models, { addIssue }) => {
    for (const [index, model] of Array.isArray(models) ? models.entries() : []) {
      if (!writtenModel.safeParse(model).success) addIssue({ code: 'custom', path: [index], message: mustBeModel })
    }
  })
  .optional()

/** What each model has; core leaves one out that has not, which its author would learn from the log alone. */
const writtenModel = z.looseObject({
  type: z.enum(['text', 'image']),
  id: z.string().min(1),
  name: z.string(),
  description: z.string(),
  maxTokens: z.int().min(1),
})
const mustBeModel = 'must be a model: { "type": "text", "id": "…", "name": "…", "description": "…", "maxTokens": 4096 }'

/** The names of those that are set. */
function areSet(environment: Environment, variables: readonly string[]): readonly string[] {
  return variables.filter((variable) => environment[variable])
}

function named(option: string, environment: Environment, variables: readonly string[]): Options {
  const [variable] = areSet(environment, variables)
  return variable === undefined ? {} : { [option]: environment[variable] }
}

function mend(option: string, variables: readonly string[]): string {
  return variables.length === 0 ? `give ${option}` : `set ${variables.join(' or ')}, or give ${option}`
}
