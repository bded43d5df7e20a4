import * as z from 'zod'

const text = z.string({ error: 'must be a text' }).nullish()
const amount = z.number({ error: 'must be a number' }).nullish()

const modes = ['single', 'loadbalance', 'fallback', 'conditional'] as const

const fields = {
  strategy: z.looseObject({ mode: z.enum(modes, { error: `must be one of ${modes.join(', ')}` }) }).nullish(),
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
  override_params: z.looseObject({ model: text }).nullish(),
  retry: z.looseObject({ attempts: z.int({ error: 'must be a whole number' }) }).nullish(),
  cache: z
    .union([z.enum(['simple', 'semantic']), z.looseObject({ mode: z.string(), max_age: amount })], {
      error: 'must be { "mode": "simple" } or { "mode": "semantic" }',
    })
    .nullish(),
}

const leaf = z.looseObject(fields)

/** A target of a Portkey config, or a group of targets. The document is the outermost one. */
export interface PortkeyTarget extends z.output<typeof leaf> {
  readonly targets?: readonly PortkeyTarget[] | null | undefined
}

const target: z.ZodType<PortkeyTarget> = z.lazy(() => portkeyDocument)

export const portkeyDocument = leaf.extend({
  targets: z.array(target, { error: 'must be a list of targets' }).min(1).nullish(),
})

/** Fields that the import reads. */
export const portkeyFields: readonly string[] = Object.keys(portkeyDocument.shape)

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
