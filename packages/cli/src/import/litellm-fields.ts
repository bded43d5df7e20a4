import * as z from 'zod'
import { each, type FieldTable, tableSchema } from './fields.ts'

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

/** A deployment's `litellm_params`. */
export const parameters = {
  imported: {
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
  },
  leftOut: {
    ...each(
      'temperature max_tokens max_completion_tokens top_p seed stop n reasoning_effort thinking',
      'Fairlead sends this setting only if a request has it',
    ),
    ...each(
      'max_budget budget_duration',
      'Fairlead has no budget of a model; keys, users, and projects have budgets: docs/budgets.md',
    ),
    ...each('max_retries num_retries', 'retries are the same for all models: retries.perTarget'),
    api_version: 'Azure’s v1 API has no versions',
    drop_params: 'Fairlead always leaves out settings that a model lacks, and names them in meta.warnings',
    max_parallel_requests: 'Fairlead limits concurrency for all models alike: concurrency.perTarget',
  },
  otherwise: 'Fairlead has no such setting of a model',
} satisfies FieldTable

/** A deployment's `model_info`. The facts are imported with the prices. */
export const modelInfo = {
  imported: {
    max_tokens: z.unknown().optional(),
    max_output_tokens: z.unknown().optional(),
    max_input_tokens: z.unknown().optional(),
    supports_function_calling: z.unknown().optional(),
    supports_vision: z.unknown().optional(),
    supports_response_schema: z.unknown().optional(),
    supports_reasoning: z.unknown().optional(),
  },
  leftOut: { ...parameters.leftOut, ...each('id mode version description', '') },
  otherwise: 'Fairlead takes the facts of a model from its provider',
} satisfies FieldTable

const byClass = 'Fairlead decides by the class of a failure: docs/routing.md'

/** Settings outside of models, by their names in any section. */
const settings = {
  leftOut: {
    ...each(
      'success_callback failure_callback callbacks service_callbacks callback_settings',
      'Fairlead exports traces and metrics over OpenTelemetry, and metrics for Prometheus: docs/running.md',
    ),
    ...each(
      'database_url database_connection_pool_limit database_connection_timeout',
      'Fairlead needs a database of its own: set DATABASE_URL, or leave it unset for SQLite',
    ),
    ...each('redis_host redis_port redis_password redis_url', 'set REDIS_URL'),
    ...each(
      'max_budget budget_duration max_end_user_budget max_end_user_budget_id provider_budget_config tag_budget_config',
      'Fairlead has no such budget; keys, users, and projects have budgets: docs/budgets.md',
    ),
    ...each(
      'default_key_generate_params upperbound_key_generate_params',
      'API keys have no defaults; each has its own budget and limits: docs/limits.md#limits-of-a-key',
    ),
    ...each(
      'default_team_settings default_team_params',
      'teams are projects, which have their own settings: docs/projects.md',
    ),
    ...each('retry_policy allowed_fails_policy', byClass),
    ...each('finetune_settings files_settings', 'Fairlead has no such API'),
    ...each('enable_pre_call_checks telemetry', ''),
    master_key: 'Fairlead creates an admin and prints the API key at its first start',
    store_model_in_db: 'models that LiteLLM keeps in its database are not in this document; add them by hand',
    alerting: 'Fairlead has no alerts; use those of your metrics system',
    models: 'set defaults.models to ids and patterns of models: docs/accounts.md#new-users',
    guardrails: 'Fairlead has no guardrails',
    mcp_servers: 'Fairlead has no MCP gateway',
    pass_through_endpoints: 'Fairlead forwards no paths of other APIs',
    disable_cooldowns: 'circuit breakers cannot be turned off; raise circuit.failures',
    environment_variables: 'put the variables into .env',
    include: 'files that this one includes are not read; import them one by one',
  },
  otherwise: 'Fairlead has no such setting',
}

const reliability = {
  fallbacks,
  context_window_fallbacks: fallbacks,
  content_policy_fallbacks: fallbacks,
  default_fallbacks: z.array(name).nullish(),
  num_retries: amount,
  allowed_fails: amount,
  cooldown_time: amount,
}

const routerSettings = {
  imported: {
    ...reliability,
    routing_strategy: text,
    timeout: amount,
    stream_timeout: amount,
    model_group_alias: z
      .record(z.string(), z.union([z.string(), z.looseObject({ model: name })]), {
        error: 'must have a model for each alias',
      })
      .nullish(),
  },
  ...settings,
} satisfies FieldTable

const newUsers = { imported: { max_budget: amount, budget_duration: text }, ...settings } satisfies FieldTable

const litellmSettings = {
  imported: {
    ...reliability,
    request_timeout: amount,
    drop_params: flag,
    cache: flag,
    cache_params: z.looseObject({ type: text, ttl: amount, mode: text }).nullish(),
    max_internal_user_budget: amount,
    internal_user_budget_duration: text,
    default_internal_user_params: tableSchema(newUsers).nullish(),
  },
  sections: { default_internal_user_params: newUsers },
  ...settings,
} satisfies FieldTable

const generalSettings = { imported: {}, ...settings } satisfies FieldTable

const deployment = z.looseObject({
  model_name: name,
  litellm_params: tableSchema(parameters),
  model_info: tableSchema(modelInfo).nullish(),
})

/** The whole `config.yaml`. */
export const litellmFields = {
  imported: {
    model_list: z.array(deployment, { error: 'must be a list of models' }).min(1),
    credential_list: z
      .array(z.looseObject({ credential_name: name, credential_values: z.record(z.string(), z.unknown()) }))
      .nullish(),
    router_settings: tableSchema(routerSettings).nullish(),
    litellm_settings: tableSchema(litellmSettings).nullish(),
    general_settings: tableSchema(generalSettings).nullish(),
  },
  sections: { router_settings: routerSettings, litellm_settings: litellmSettings, general_settings: generalSettings },
  ...settings,
} satisfies FieldTable

export const litellmDocument = tableSchema(litellmFields)

export type LitellmDocument = z.output<typeof litellmDocument>
export type Deployment = z.output<typeof deployment>
export type Parameters = Deployment['litellm_params']

/** The built-in provider for a prefix of a model, and the variable that LiteLLM reads its key from. */
export const litellmProviders: Readonly<Record<string, readonly [use: string, keyVariable?: string]>> = {
  openai: ['openai', 'OPENAI_API_KEY'],
  azure: ['azure', 'AZURE_API_KEY'],
  anthropic: ['anthropic', 'ANTHROPIC_API_KEY'],
  gemini: ['google', 'GEMINI_API_KEY'],
  groq: ['groq', 'GROQ_API_KEY'],
  mistral: ['mistral', 'MISTRAL_API_KEY'],
  deepseek: ['deepseek', 'DEEPSEEK_API_KEY'],
  xai: ['xai', 'XAI_API_KEY'],
  openrouter: ['openrouter', 'OPENROUTER_API_KEY'],
  together_ai: ['together', 'TOGETHERAI_API_KEY'],
  fireworks_ai: ['fireworks', 'FIREWORKS_API_KEY'],
  cerebras: ['cerebras', 'CEREBRAS_API_KEY'],
  perplexity: ['perplexity', 'PERPLEXITYAI_API_KEY'],
  ollama: ['ollama'],
  ollama_chat: ['ollama'],
  hosted_vllm: ['vllm'],
  lm_studio: ['lm-studio'],
  custom_openai: ['openai-compatible'],
  openai_like: ['openai-compatible'],
  litellm_proxy: ['openai-compatible'],
  xinference: ['openai-compatible'],
}

/** The prefix of models that have none. LiteLLM knows many more, from a table of models. */
export const unprefixed: readonly (readonly [RegExp, string])[] = [
  [/^(gpt-|o\d|chatgpt-|text-embedding-|dall-e)/, 'openai'],
  [/^claude-/, 'anthropic'],
]

export const strategies: Readonly<Record<string, 'weighted' | 'fastest' | 'cheapest'>> = {
  'simple-shuffle': 'weighted',
  'usage-based-routing': 'weighted',
  'usage-based-routing-v2': 'weighted',
  'least-busy': 'fastest',
  'latency-based-routing': 'fastest',
  'cost-based-routing': 'cheapest',
}

/** The periods that LiteLLM writes as durations. */
export const periods: Readonly<Record<string, 'day' | 'week' | 'month'>> = {
  '24h': 'day',
  '1d': 'day',
  '7d': 'week',
  '1w': 'week',
  '30d': 'month',
  '1mo': 'month',
}
