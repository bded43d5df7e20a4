const fallbackSettings = [
  'fallbacks',
  'context_window_fallbacks',
  'content_policy_fallbacks',
  'default_fallbacks',
  'num_retries',
  'allowed_fails',
  'cooldown_time',
]

/** By section, the settings that an import reads, or that Fairlead needs no setting for. */
export const usedSettings: Readonly<Record<string, readonly string[]>> = {
  router_settings: [
    ...fallbackSettings,
    'routing_strategy',
    'timeout',
    'stream_timeout',
    'model_group_alias',
    // Fairlead always skips targets whose context is too small.
    'enable_pre_call_checks',
  ],
  litellm_settings: [
    ...fallbackSettings,
    'request_timeout',
    'drop_params',
    'cache',
    'cache_params',
    'telemetry',
    'default_internal_user_params',
    'max_internal_user_budget',
    'internal_user_budget_duration',
  ],
  general_settings: [],
}

const observability =
  'Fairlead exports traces and metrics over OpenTelemetry, and metrics for Prometheus: docs/running.md'
const database = 'Fairlead needs a database of its own: set DATABASE_URL, or leave it unset for SQLite'
const redis = 'set REDIS_URL'
const budgets = 'Fairlead has no such budget; keys, users, and projects have budgets: docs/budgets.md'
const keys = 'API keys have no defaults; each has its own budget and limits: docs/limits.md#limits-of-a-key'
const variables = 'put the variables into .env'
const files = 'Fairlead has no such API'

/** Why a setting is left out, by its name. */
const reasons: Readonly<Record<string, string>> = {
  master_key: 'Fairlead creates an admin and prints the API key at its first start',
  database_url: database,
  database_connection_pool_limit: database,
  database_connection_timeout: database,
  store_model_in_db: 'models that LiteLLM keeps in its database are not in this document; add them by hand',
  redis_host: redis,
  redis_port: redis,
  redis_password: redis,
  redis_url: redis,
  success_callback: observability,
  failure_callback: observability,
  callbacks: observability,
  service_callbacks: observability,
  callback_settings: observability,
  alerting: 'Fairlead has no alerts; use those of your metrics system',
  max_budget: budgets,
  budget_duration: budgets,
  max_end_user_budget: budgets,
  max_end_user_budget_id: budgets,
  provider_budget_config: budgets,
  tag_budget_config: budgets,
  default_key_generate_params: keys,
  upperbound_key_generate_params: keys,
  models: 'set defaults.models to ids and patterns of models: docs/accounts.md#new-users',
  default_team_settings: 'teams are projects, which have their own settings: docs/projects.md',
  default_team_params: 'teams are projects, which have their own settings: docs/projects.md',
  guardrails: 'Fairlead has no guardrails',
  mcp_servers: 'Fairlead has no MCP gateway',
  pass_through_endpoints: 'Fairlead forwards no paths of other APIs',
  retry_policy: 'Fairlead decides by the class of a failure: docs/routing.md',
  allowed_fails_policy: 'Fairlead decides by the class of a failure: docs/routing.md',
  disable_cooldowns: 'circuit breakers cannot be turned off; raise circuit.failures',
  environment_variables: variables,
  finetune_settings: files,
  files_settings: files,
  include: 'files that this one includes are not read; import them one by one',
}

export function reasonFor(name: string): string {
  return reasons[name] ?? 'Fairlead has no such setting'
}
