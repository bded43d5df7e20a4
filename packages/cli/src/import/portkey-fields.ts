import * as z from 'zod'
import { each, type FieldTable, tableSchema } from './fields.ts'

const text = z.string({ error: 'must be a text' }).nullish()
const amount = z.number({ error: 'must be a number' }).nullish()
const modes = ['single', 'loadbalance', 'fallback', 'conditional'] as const
const byClass = { on_status_codes: 'Fairlead decides by the class of a failure: docs/routing.md' }

const strategy = {
  imported: {
    mode: z.enum(modes, { error: `must be one of ${modes.join(', ')}` }),
    default: z.unknown().optional(),
    conditions: z.unknown().optional(),
  },
  leftOut: byClass,
  otherwise: '',
} satisfies FieldTable

const retry = {
  imported: { attempts: z.int({ error: 'must be a whole number' }) },
  leftOut: byClass,
  otherwise: '',
} satisfies FieldTable

const overrides = {
  imported: { model: text },
  otherwise: 'Fairlead sends this setting only if a request has it',
} satisfies FieldTable

const target = {
  imported: {
    strategy: tableSchema(strategy).nullish(),
    name: text,
    provider: text,
    virtual_key: text,
    api_key: text,
    custom_host: text,
    resource_name: text,
    azure_resource_name: text,
    deployment_id: text,
    azure_deployment_id: text,
    weight: z.number({ error: 'must be a number' }).min(0).nullish(),
    request_timeout: amount,
    override_params: tableSchema(overrides).nullish(),
    retry: tableSchema(retry).nullish(),
    cache: z
      .union([z.enum(['simple', 'semantic']), z.looseObject({ mode: z.string(), max_age: amount })], {
        error: 'must be { "mode": "simple" } or { "mode": "semantic" }',
      })
      .nullish(),
  },
  leftOut: {
    ...each(
      'input_guardrails output_guardrails before_request_hooks after_request_hooks',
      'Fairlead has no guardrails',
    ),
    ...each('api_version azure_api_version', 'Azure’s v1 API has no versions'),
    metadata: 'Fairlead records no metadata of requests',
    usage_limits: 'keys, users, and projects have budgets: docs/budgets.md',
    rate_limits: 'keys have limits of requests and tokens: docs/limits.md#limits-of-a-key',
    forward_headers: 'Fairlead forwards no headers of clients',
  },
  otherwise: 'Fairlead has no such setting',
  sections: { strategy, retry, override_params: overrides },
} satisfies FieldTable

const leaf = tableSchema(target)

/** A target of a Portkey config, or a group of targets. The document is the outermost one. */
export interface PortkeyTarget extends z.output<typeof leaf> {
  readonly targets?: readonly PortkeyTarget[] | null | undefined
}

const targets = z
  .array(
    z.lazy((): z.ZodType<PortkeyTarget> => portkeyDocument),
    { error: 'must be a list of targets' },
  )
  .min(1)
  .nullish()

export const portkeyFields = { ...target, imported: { ...target.imported, targets } } satisfies FieldTable

export const portkeyDocument = tableSchema(portkeyFields)

/** The built-in providers of Fairlead by Portkey's names. */
export const portkeyProviders: Readonly<Record<string, string>> = {
  openai: 'openai',
  'azure-openai': 'azure',
  anthropic: 'anthropic',
  google: 'google',
  groq: 'groq',
  'mistral-ai': 'mistral',
  deepseek: 'deepseek',
  'x-ai': 'xai',
  openrouter: 'openrouter',
  'together-ai': 'together',
  'fireworks-ai': 'fireworks',
  cerebras: 'cerebras',
  'perplexity-ai': 'perplexity',
  ollama: 'ollama',
}

/** Portkey takes its fields in camel case too: `overrideParams` is `override_params`. */
export function withSnakeCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSnakeCase)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const field = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
      // Parameters of the provider, and conditions on them, keep their names.
      return [field, ['override_params', 'conditions'].includes(field) ? member : withSnakeCase(member)]
    }),
  )
}
