import { describe, expect, test } from 'vitest'
import { portkeyDocument, withSnakeCase } from './portkey-fields.ts'
import { fromPortkey } from './portkey.ts'

describe('a Portkey config', () => {
  test('a Portkey config becomes a route that keeps weights, and nested fallbacks last', () => {
    const { config, notes } = convert({
      strategy: { mode: 'loadbalance' },
      targets: [
        { virtual_key: 'anthropic-main', weight: 0.75, override_params: { max_tokens: 200, model: 'claude-sonnet-5' } },
        {
          strategy: { mode: 'fallback', on_status_codes: [429] },
          targets: [{ virtual_key: 'openai-main' }, { virtual_key: 'groq-main', overrideParams: { model: 'gpt-oss' } }],
          weight: 0.25,
        },
      ],
    })
    expect(config).toEqual({
      providers: [
        { use: 'anthropic', id: 'anthropic-main', apiKey: { env: 'ANTHROPIC_MAIN_API_KEY' } },
        { use: 'openai', id: 'openai-main', apiKey: { env: 'OPENAI_MAIN_API_KEY' } },
        { use: 'groq', id: 'groq-main', apiKey: { env: 'GROQ_MAIN_API_KEY' } },
      ],
      routes: {
        smart: {
          strategy: 'weighted',
          targets: [
            { model: 'anthropic-main/claude-sonnet-5', weight: 3 },
            'openai-main/gpt-5.6',
            { model: 'groq-main/gpt-oss', weight: 0 },
          ],
        },
      },
    })
    expect(notes).toEqual(
      expect.arrayContaining([
        'targets[0].override_params.max_tokens: Fairlead sends this setting only if a request has it',
        'targets: fallbacks of one target of a load balancer become fallbacks of all of them',
      ]),
    )
  })

  test('a Portkey config becomes a route over a load balancer that has a fallback', () => {
    const { config } = convert({
      strategy: { mode: 'fallback' },
      targets: [
        {
          strategy: { mode: 'loadbalance' },
          targets: [
            { provider: 'openai', api_key: 'sk-hidden' },
            { provider: 'azure-openai', azure_resource_name: 'eu', azure_deployment_id: 'gpt-eu', api_key: 'hidden' },
          ],
        },
        { provider: 'openai', custom_host: 'http://models.internal/v1/' },
      ],
      retry: { attempts: 3 },
      request_timeout: 30_000,
      cache: { mode: 'simple', max_age: 60 },
    })
    expect(config).toMatchObject({
      providers: [{ use: 'openai' }, { baseUrl: 'https://eu.openai.azure.com/openai/v1' }, { id: 'models' }],
      routes: {
        smart: {
          targets: ['openai/gpt-5.6', 'azure/gpt-eu', { model: 'models/gpt-5.6', weight: 0 }],
          timeouts: { attemptMs: 30_000 },
          cache: { ttlMs: 60_000 },
        },
      },
      retries: { perTarget: 3 },
    })
    expect(JSON.stringify(config)).not.toContain('hidden')
  })

  test('a Portkey config reads the provider in a model', () => {
    const { config } = convert({ override_params: { model: '@openai-prod/gpt-4o' } })
    expect(config).toMatchObject({
      providers: [{ use: 'openai', id: 'openai-prod' }],
      routes: { smart: { targets: ['openai-prod/gpt-4o'] } },
    })
  })

  test('a Portkey config uses the default target of conditions', () => {
    const { config, notes } = convert({
      strategy: { mode: 'conditional', conditions: [{ query: {} }], default: 'b' },
      targets: [
        { name: 'a', provider: 'openai', api_key: 'x' },
        { name: 'b', provider: 'anthropic', api_key: 'y' },
      ],
    })
    expect(config.routes?.['smart']?.targets).toEqual(['anthropic/gpt-5.6'])
    expect(notes).toContain('strategy.conditions: Fairlead chooses by the model alone; the default target is used')
  })

  test('a Portkey config uses the first target of conditions without a default', () => {
    const targets = [
      { provider: 'openai', api_key: 'x' },
      { provider: 'anthropic', api_key: 'y' },
    ]
    const { config } = convert({ strategy: { mode: 'conditional', conditions: [{ query: {} }] }, targets })
    expect(config.routes?.['smart']?.targets).toEqual(['openai/gpt-5.6'])
  })

  test('a Portkey config fails for providers that Fairlead lacks, and names them', () => {
    expect(() => convert({ provider: 'bedrock' })).toThrow(/provider: Fairlead has no provider for "bedrock"/)
  })
})

function convert(document: object) {
  const options = { name: 'smart', model: 'gpt-5.6', virtualKeys: new Map() }
  const { config, notes } = fromPortkey(portkeyDocument.parse(withSnakeCase(document)), options)
  return { config, notes: notes.lines() }
}
