import * as z from 'zod'

/** The parts of LiteLLM's configuration that have a counterpart. All others pass, and become notes. */
const name = z.string().min(1)
/** A number, or a variable: `os.environ/RPM`. */
const amount = z.union([z.number(), z.string()], { error: 'must be a number' }).nullish()
const text = z.string({ error: 'must be a text' }).nullish()
const flag = z.union([z.boolean(), z.string()], { error: 'must be true or false' }).nullish()
const fallbacks = z
  .array(z.record(z.string(), z.array(z.unknown())), {
    error: 'must be a list such as [{ "gpt-4o": ["claude-sonnet"] }]',
  })
  .nullish()
const reliability = {
  fallbacks,
  context_window_fallbacks: fallbacks,
  content_policy_fallbacks: fallbacks,
  default_fallbacks: z.array(name).nullish(),
  num_retries: amount,
  allowed_fails: amount,
  cooldown_time: amount,
}

const parameters = z.looseObject({
  model: name,
  custom_llm_provider: text,
  api_key: text,
  api_base: text,
  base_url: text,
  organization: z.union([z.string(), z.array(z.string())]).nullish(),
  extra_headers: z.record(z.string(), z.string()).nullish(),
  litellm_credential_name: text,
  weight: amount,
  order: amount,
  rpm: amount,
  tpm: amount,
  timeout: amount,
  stream_timeout: amount,
})

const deployment = z.looseObject({
  model_name: name,
  litellm_params: parameters,
  model_info: z.looseObject({}).nullish(),
})

export const litellmDocument = z.looseObject({
  model_list: z.array(deployment, { error: 'must be a list of models' }).min(1),
  credential_list: z
    .array(z.looseObject({ credential_name: name, credential_values: z.record(z.string(), z.unknown()) }))
    .nullish(),
  router_settings: z
    .looseObject({
      ...reliability,
      routing_strategy: text,
      timeout: amount,
      stream_timeout: amount,
      model_group_alias: z
        .record(z.string(), z.union([z.string(), z.looseObject({ model: name })]), {
          error: 'must have a model for each alias',
        })
        .nullish(),
    })
    .nullish(),
  litellm_settings: z
    .looseObject({
      ...reliability,
      request_timeout: amount,
      drop_params: flag,
      cache: flag,
      max_internal_user_budget: amount,
      internal_user_budget_duration: text,
      default_internal_user_params: z.looseObject({ max_budget: amount, budget_duration: text }).nullish(),
      cache_params: z.looseObject({ type: text, ttl: amount, mode: text }).nullish(),
    })
    .nullish(),
  general_settings: z.looseObject({}).nullish(),
})

export type LitellmDocument = z.output<typeof litellmDocument>
export type Deployment = z.output<typeof deployment>
export type Parameters = z.output<typeof parameters>

/** A model of clients, with the deployments that serve it. */
export interface Group {
  readonly path: string
  readonly targets: Target[]
}

/** A deployment that was imported. */
export interface Target {
  readonly path: string
  /** As `provider/id`. */
  readonly model: string
  readonly provider: string
  readonly id: string
  readonly params: Parameters
  readonly info: Deployment['model_info']
}
