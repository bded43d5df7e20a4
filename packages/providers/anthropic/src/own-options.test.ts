import { describe, expect, test } from 'vitest'
import { withOwnOptions } from './own-options.ts'
import type { MessageRequest } from './wire.ts'

const body: MessageRequest = {
  model: 'claude-haiku-5-5',
  max_tokens: 64,
  messages: [{ role: 'user', content: 'Hi.' }],
  tools: [{ name: 'find', input_schema: { type: 'object' } }],
  output_config: { effort: 'low' },
}

describe('the provider options of a request', () => {
  test('the provider options of a request of other providers are left out', () => {
    expect(withOwnOptions(body, { openai: { service_tier: 'flex' } }, 'anthropic')).toEqual({ body, headers: {} })
  })

  test('the provider options of a request join the body, its tools, and its output_config', () => {
    const own = {
      cache_control: { type: 'ephemeral' },
      tools: [{ type: 'web_search_20260209', name: 'web_search' }],
      output_config: { task_budget: { type: 'tokens', total: 20_000 } },
    }
    expect(withOwnOptions(body, { claude: own }, 'claude').body).toEqual({
      ...body,
      cache_control: own.cache_control,
      tools: [...body.tools!, ...own.tools],
      output_config: { effort: 'low', ...own.output_config },
    })
  })

  test('the provider options of a request leave a field to the default of the API with null', () => {
    const thinking = { thinking: { type: 'disabled' as const } }
    const own = { thinking: null, output_config: { effort: null } }
    const { body: sent } = withOwnOptions({ ...body, ...thinking }, { anthropic: own }, 'anthropic')
    const { output_config: _output, ...rest } = body
    expect(sent).toEqual(rest)
  })

  test.each([
    ['compact-2026-01-12, fast-mode-2026-02-01', 'compact-2026-01-12,fast-mode-2026-02-01'],
    [['compact-2026-01-12'], 'compact-2026-01-12'],
  ])('the provider options of a request send beta features in a header: %j', (anthropic_beta, header) => {
    const { body: sent, headers } = withOwnOptions(body, { anthropic: { anthropic_beta } }, 'anthropic')
    expect(headers).toEqual({ 'anthropic-beta': header })
    expect(sent).toEqual(body)
  })

  test('the provider options of a request send no header for an empty list of beta features', () => {
    expect(withOwnOptions(body, { anthropic: { anthropic_beta: [] } }, 'anthropic')).toEqual({ body, headers: {} })
  })

  test('the provider options of a request keep the beta features of the configured headers', () => {
    const configured = { 'Anthropic-Beta': 'files-api-2025-04-14', 'x-other': '1' }
    const { headers } = withOwnOptions(body, { anthropic: { anthropic_beta: 'a-1' } }, 'anthropic', configured)
    expect(headers).toEqual({ 'anthropic-beta': 'files-api-2025-04-14,a-1' })
  })

  test.each([[['a\r\nx-api-key: b']], [''], [7], [[{}]], [null]])(
    'the provider options of a request reject beta features that are not names: %j',
    (value) => {
      expect(() => withOwnOptions(body, { anthropic: { anthropic_beta: value } }, 'anthropic')).toThrow(
        expect.objectContaining({ failure: 'invalid_request', field: 'providerOptions.anthropic.anthropic_beta' }),
      )
    },
  )
})
