import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { fromLitellm } from './litellm.ts'
import { litellmDocument } from './litellm-fields.ts'

describe('a configuration of LiteLLM', () => {
  test('a configuration of LiteLLM becomes a route for each model, with the weights of its limits', () => {
    const { config, notes } = convert(`
model_list:
  - model_name: gpt-4o
    litellm_params: { model: azure/eu, api_base: https://eu.openai.azure.com/, api_key: os.environ/EU_KEY, rpm: 6 }
  - model_name: gpt-4o
    litellm_params: { model: azure/ca, api_base: https://ca.openai.azure.com, api_key: os.environ/CA_KEY, rpm: 1_2 }
  - model_name: small
    litellm_params: { model: openai/facebook/opt-125m, api_base: http://models.internal:8000/v1/, api_key: none }
`)
    expect(config).toEqual({
      providers: [
        { use: 'azure', apiKey: { env: 'EU_KEY' }, baseUrl: 'https://eu.openai.azure.com/openai/v1', models: 'any' },
        {
          use: 'azure',
          id: 'azure-2',
          apiKey: { env: 'CA_KEY' },
          baseUrl: 'https://ca.openai.azure.com/openai/v1',
          models: 'any',
        },
        { use: 'openai-compatible', id: 'models', baseUrl: 'http://models.internal:8000/v1', models: 'any' },
      ],
      routes: {
        'gpt-4o': { strategy: 'weighted', targets: ['azure/eu', { model: 'azure-2/ca', weight: 2 }] },
        small: { targets: ['models/facebook/opt-125m'] },
      },
    })
    expect(notes).toContainEqual(expect.stringMatching(/^model_list\[0\]\.litellm_params\.rpm: is the weight/))
  })

  test('a configuration of LiteLLM gives a key of the document a variable that no other model uses', () => {
    const { config } = convert(`
model_list:
  - { model_name: a, litellm_params: { model: openai/gpt-5.6, api_key: sk-literal } }
  - { model_name: b, litellm_params: { model: openai/gpt-5.6 } }
`)
    expect(config.providers).toEqual([
      { use: 'openai', apiKey: { env: 'OPENAI_2_API_KEY' } },
      { use: 'openai', id: 'openai-2', apiKey: { env: 'OPENAI_API_KEY' } },
    ])
  })

  test('a configuration of LiteLLM copies no password of an address', () => {
    const { config, notes } = convert(`
model_list:
  - { model_name: a, litellm_params: { model: openai/x, api_base: "https://ada:hush@models.internal/v1", api_key: none } }
`)
    expect(config.providers).toMatchObject([{ baseUrl: 'https://models.internal/v1' }])
    expect(notes).toContainEqual(expect.stringMatching(/^model_list\[0\]\.litellm_params\.api_base: has a user name/))
  })

  test('a configuration of LiteLLM keeps fallbacks last, also of a route with weights', () => {
    const { config } = convert(`
model_list:
  - { model_name: a, litellm_params: { model: openai/gpt-5.6, weight: 3 } }
  - { model_name: a, litellm_params: { model: groq/openai/gpt-oss-120b, weight: 1 } }
  - { model_name: b, litellm_params: { model: anthropic/claude-sonnet-5 } }
litellm_settings: { fallbacks: [{ a: [b] }], context_window_fallbacks: [{ b: [a] }] }
`)
    expect(config.routes).toEqual({
      a: {
        strategy: 'weighted',
        targets: [
          { model: 'openai/gpt-5.6', weight: 3 },
          'groq/openai/gpt-oss-120b',
          { model: 'anthropic/claude-sonnet-5', weight: 0 },
        ],
      },
      b: { targets: ['anthropic/claude-sonnet-5', 'openai/gpt-5.6', 'groq/openai/gpt-oss-120b'] },
    })
  })

  test('a configuration of LiteLLM gives an alias a route of its own', () => {
    const { config } = convert(`
model_list: [{ model_name: gpt-4o, litellm_params: { model: openai/gpt-4o } }]
router_settings: { model_group_alias: { gpt-4: gpt-4o, hidden: { model: gpt-4o, hidden: true } } }
`)
    expect(Object.keys(config.routes ?? {})).toEqual(['gpt-4o', 'gpt-4', 'hidden'])
    expect(config.routes?.['gpt-4']).toEqual({ targets: ['openai/gpt-4o'] })
  })

  test.for([
    ['latency-based-routing', 'fastest'],
    ['least-busy', 'fastest'],
    ['cost-based-routing', 'cheapest'],
    ['simple-shuffle', 'weighted'],
  ])('a configuration of LiteLLM translates the strategy %s to %s', ([strategy, expected]) => {
    const { config } = convert(`${twoModels}router_settings: { routing_strategy: ${strategy} }\n`)
    expect(config.routes?.['a']?.strategy).toBe(expected)
  })

  test('a configuration of LiteLLM translates retries, timeouts, circuit breakers, and the cache', () => {
    const { config } = convert(`${twoModels}
router_settings: { num_retries: 2, timeout: 30, allowed_fails: 3, cooldown_time: 20 }
litellm_settings: { num_retries: 5, cache: true, cache_params: { type: redis, ttl: 120 } }
`)
    expect(config).toMatchObject({
      retries: { perTarget: 2 },
      timeouts: { attemptMs: 30_000 },
      circuit: { failures: 4, openMs: 20_000 },
      routes: { a: { cache: { ttlMs: 120_000 } } },
    })
  })

  test('a configuration of LiteLLM passes the ids of a wildcard on to the provider', () => {
    const { config } = convert(`
model_list:
  - { model_name: 'anthropic/*', litellm_params: { model: 'anthropic/*' } }
  - { model_name: 'gemini/*', litellm_params: { model: 'gemini/*' } }
`)
    expect(config).toEqual({
      providers: [
        { use: 'anthropic', apiKey: { env: 'ANTHROPIC_API_KEY' }, models: 'any' },
        { use: 'google', id: 'gemini', apiKey: { env: 'GEMINI_API_KEY' }, models: 'any' },
      ],
    })
  })

  test('a configuration of LiteLLM names a variable for each secret, and copies none', () => {
    const { config, notes } = convert(`
model_list:
  - { model_name: a, litellm_params: { model: openai/gpt-5.6, api_key: sk-one } }
  - { model_name: b, litellm_params: { model: openai/gpt-5.6, api_key: sk-two } }
general_settings: { master_key: sk-three, database_url: 'postgres://u:sk-four@h/d' }
`)
    expect(config.providers.map(({ apiKey }) => apiKey)).toEqual([
      { env: 'OPENAI_API_KEY' },
      { env: 'OPENAI_2_API_KEY' },
    ])
    expect(JSON.stringify({ config, notes })).not.toMatch(/sk-/)
  })

  test('a configuration of LiteLLM names a variable for a header with a secret, and copies other headers', () => {
    const { config, notes } = convert(`
model_list:
  - model_name: a
    litellm_params: { model: openai/gpt-5.6, extra_headers: { Authorization: Bearer sk-one, X-Team: search } }
`)
    expect(config.providers).toMatchObject([
      { headers: { Authorization: { env: 'OPENAI_AUTHORIZATION' }, 'X-Team': 'search' } },
    ])
    expect(notes).toEqual([
      'model_list[0].litellm_params.extra_headers.Authorization: is a secret, so it was not copied. Put it into the variable OPENAI_AUTHORIZATION',
    ])
  })

  test('a configuration of LiteLLM reads credentials by their name', () => {
    const { config } = convert(`
model_list: [{ model_name: a, litellm_params: { model: azure/a, litellm_credential_name: eu } }]
credential_list:
  - { credential_name: eu, credential_values: { api_key: os.environ/EU_KEY, api_base: https://eu.openai.azure.com } }
`)
    expect(config.providers).toMatchObject([{ apiKey: { env: 'EU_KEY' }, baseUrl: expect.stringContaining('//eu.') }])
  })

  test('a configuration of LiteLLM lists the models of a server with their prices in a million tokens', () => {
    const { config, notes } = convert(`
model_list:
  - model_name: big
    litellm_params:
      model: openai/big
      api_base: http://models.internal/v1
      api_key: none
      input_cost_per_token: 0.0000011
      output_cost_per_token: 4.4e-6
      cache_read_input_token_cost: "0.00000011"
      input_cost_per_second: 0.1
    model_info: { max_output_tokens: 8192, max_input_tokens: 131072, supports_vision: false, supports_reasoning: true }
  - model_name: small
    litellm_params: { model: openai/small, api_base: http://models.internal/v1, api_key: none }
    model_info: { input_cost_per_token: 0, output_cost_per_token: 0 }
`)
    const facts = { type: 'text', description: 'Imported from LiteLLM.', tools: true, structured: true, chat: true }
    expect(config.providers[0]?.['models']).toEqual([
      {
        ...facts,
        id: 'big',
        name: 'big',
        maxTokens: 8_192,
        contextSize: 131_072,
        vision: false,
        reasoning: true,
        pricing: { input: 1.1, output: 4.4, cachedInput: 0.11 },
      },
      {
        ...facts,
        id: 'small',
        name: 'small',
        maxTokens: 4_096,
        maxTokensUnknown: true,
        vision: true,
        pricing: { input: 0, output: 0 },
      },
    ])
    expect(notes).toEqual([
      expect.stringMatching(
        /^model_list\[0\]: its provider now lists its models with their prices, and serves no others/,
      ),
      expect.stringMatching(/^model_list\[0\]\.litellm_params\.input_cost_per_second: only prices of input, output/),
    ])
  })

  test.for([
    ['of a vendor', '{ model: openai/gpt-5.6, input_cost_per_token: 0.1, output_cost_per_token: 0.2 }', ''],
    [
      'of a server that lists its models',
      '{ model: hosted_vllm/x, api_base: http://a/v1, input_cost_per_token: 0.1, output_cost_per_token: 0.2 }',
      '',
    ],
    [
      'of a server of which clients use every model',
      '{ model: openai/x, api_base: http://a/v1, input_cost_per_token: 0.1, output_cost_per_token: 0.2 }',
      "- { model_name: 'a/*', litellm_params: { model: 'openai/*', api_base: http://a/v1 } }",
    ],
    [
      'of a server with a model without a price',
      '{ model: openai/x, api_base: http://a/v1, input_cost_per_token: 0.1, output_cost_per_token: 0.2 }',
      '- { model_name: b, litellm_params: { model: openai/z, api_base: http://a/v1 } }',
    ],
  ])('a configuration of LiteLLM names the prices %s, and keeps all its models', ([, params, more]) => {
    const { config, notes } = convert(`
model_list:
  - { model_name: a, litellm_params: ${params} }
  ${more}
`)
    expect(['any', undefined]).toContain(config.providers[0]?.['models'])
    expect(notes).toContain(
      'model_list[0].litellm_params.input_cost_per_token (and 1 more): for your own prices, list the models of the provider: docs/providers.md#prices',
    )
  })

  test.for([
    [
      'default_internal_user_params: { max_budget: 20, budget_duration: 30d }',
      { budgetUsd: 20, budgetPeriod: 'month' },
    ],
    ['max_internal_user_budget: 5, internal_user_budget_duration: 1d', { budgetUsd: 5, budgetPeriod: 'day' }],
    ['max_internal_user_budget: 5', { budgetUsd: 5 }],
    ['default_internal_user_params: { max_budget: 20, budget_duration: 90d }', undefined],
    ['max_internal_user_budget: os.environ/BUDGET', undefined],
    ['max_internal_user_budget: -1', undefined],
  ] as const)('a configuration of LiteLLM gives new users their budget: %s', ([settings, defaults]) => {
    expect(convert(`${twoModels}litellm_settings: { ${settings} }`).config.defaults).toEqual(defaults)
  })

  test('a configuration of LiteLLM names the budgets that Fairlead lacks', () => {
    const { config, notes } = convert(`
model_list: [{ model_name: a, litellm_params: { model: openai/gpt-5.6, max_budget: 9, budget_duration: 1d } }]
router_settings: { provider_budget_config: { openai: { budget_limit: 1, time_period: 1d } } }
litellm_settings:
  max_budget: 100
  budget_duration: 30d
  default_internal_user_params: { max_budget: 20, budget_duration: 90d, models: [a] }
`)
    expect(config.defaults).toBeUndefined()
    expect(notes).toEqual([
      'model_list[0].litellm_params.max_budget (and 1 more): Fairlead has no budget of a model; keys, users, and projects have budgets: docs/budgets.md',
      'router_settings.provider_budget_config (and 2 more): Fairlead has no such budget; keys, users, and projects have budgets: docs/budgets.md',
      'litellm_settings.default_internal_user_params.models: set defaults.models to ids and patterns of models: docs/accounts.md#new-users',
      'litellm_settings.default_internal_user_params.budget_duration: Fairlead has budgets of a day, a week, or a month, not of "90d": set defaults.budgetUsd',
    ])
  })

  test('a configuration of LiteLLM says what it leaves out, and why', () => {
    const { notes } = convert(`${twoModels}
  - { model_name: c, litellm_params: { model: bedrock/anthropic.claude-v2, aws_region_name: us-east-1 } }
litellm_settings: { success_callback: [langfuse], drop_params: true }
guardrails: [{ guardrail_name: x }]
`)
    expect(notes).toEqual([
      'model_list[2].litellm_params.aws_region_name: Fairlead has no such setting of a model',
      'model_list[2].litellm_params.model: Fairlead has no provider for "bedrock"; the model is left out. The AI SDK may have one: docs/ai-sdk.md',
      expect.stringMatching(/^model_list\[0\]: weights choose a target for each account/),
      expect.stringMatching(/^litellm_settings\.success_callback: Fairlead exports traces/),
      'guardrails: Fairlead has no guardrails',
    ])
  })
})

const twoModels = `
model_list:
  - { model_name: a, litellm_params: { model: openai/gpt-5.6 } }
  - { model_name: a, litellm_params: { model: anthropic/claude-sonnet-5 } }
`

function convert(yaml: string) {
  const { config, notes } = fromLitellm(litellmDocument.parse(parse(yaml, { version: '1.1' })))
  return { config, notes: notes.lines() }
}
