import { openTestUpstream, replaying } from '@fairlead/core/testing'
import { anthropic } from '@fairlead/provider-anthropic'
import { local } from '@fairlead/provider-local'
import { describe, expect, onTestFinished, test } from 'vitest'
import { serveApp } from './testing/serve-app.ts'

const cached = { cache_control: { type: 'ephemeral' } }
const betas =
  'claude-code-20250219,adaptive-thinking-2026-01-28,context-management-2025-06-27,prompt-caching-scope-2026-01-05,effort-2025-11-24'

/** The form of what Claude Code 2.1 sends in the second step of a task, with shorter texts. */
const turn = {
  model: 'claude-opus-5',
  messages: [
    { role: 'user', content: '<available-deferred-tools>\nWebFetch\n</available-deferred-tools>' },
    {
      role: 'user',
      content: [
        { type: 'text', text: '<system-reminder>\nThe date is today.\n</system-reminder>' },
        { type: 'text', text: 'Which files are here?' },
      ],
    },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'I list them.', signature: 'EqQBCgIYAg' },
        { type: 'tool_use', id: 'toolu_01', name: 'Bash', input: { command: 'ls' }, caller: { type: 'direct' } },
      ],
    },
    {
      role: 'user',
      content: [
        { tool_use_id: 'toolu_01', type: 'tool_result', content: 'README.md', is_error: false, ...cached },
        { type: 'text', text: '<system-reminder>\nUse the todo list.\n</system-reminder>' },
      ],
    },
  ],
  system: [
    { type: 'text', text: 'x-anthropic-billing-header: cc_version=2.1.69; cc_entrypoint=cli;' },
    { type: 'text', text: "You are Claude Code, Anthropic's official CLI for Claude.", ...cached },
    { type: 'text', text: 'You help with software.', cache_control: { type: 'ephemeral', ttl: '1h' } },
  ],
  tools: [
    {
      name: 'Bash',
      description: 'Runs a command.',
      input_schema: {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        type: 'object',
        properties: { command: { type: 'string' } },
        required: ['command'],
        additionalProperties: false,
      },
      eager_input_streaming: true,
      ...cached,
    },
  ],
  metadata: { user_id: 'user_0784_account_261d5434_session_b4e5aaaa' },
  max_tokens: 32_000,
  thinking: { type: 'adaptive' },
  context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] },
  output_config: { effort: 'medium' },
  stream: true,
}

async function serve() {
  const upstream = await openTestUpstream()
  onTestFinished(() => upstream.close())
  const claude = anthropic({ apiKey: 'sk-ant-canary', baseUrl: upstream.url })
  const { ask } = await serveApp({ core: { providers: [claude, local()] } })
  const send = async (path: string, body: object) => {
    const headers = {
      'content-type': 'application/json',
      'anthropic-beta': betas,
      'anthropic-version': '2023-06-01',
      'anthropic-dangerous-direct-browser-access': 'true',
      'x-app': 'cli',
      'x-stainless-retry-count': '0',
    }
    const response = await ask(`/anthropic${path}?beta=true`, { method: 'POST', body: JSON.stringify(body), headers })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
  return { upstream, send }
}

const usage = { input_tokens: 3, output_tokens: 2 }
const events = [
  { type: 'message_start', message: { id: 'msg_01', type: 'message', role: 'assistant', content: [], usage } },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'One file.' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage },
  { type: 'message_stop' },
]

describe('Claude Code', () => {
  test('has all that it sends reach a model of Anthropic', async () => {
    const { upstream, send } = await serve()
    upstream.answer(replaying({ events: events.map((event) => ({ event: event.type, data: event })) }))
    const { status, headers, text } = await send('/v1/messages', turn)
    expect([status, headers.get('x-fairlead-ignored')]).toEqual([200, null])
    expect(text).toContain('"text":"One file."')
    const [first, second, answer, results] = turn.messages
    expect(upstream.requests.at(-1)?.body).toEqual({
      ...turn,
      // The API joins messages of the same role in the same way.
      messages: [
        { role: 'user', content: [{ type: 'text', text: first!.content }, ...(second!.content as object[])] },
        {
          role: 'assistant',
          content: [answer!.content[0], { type: 'tool_use', id: 'toolu_01', name: 'Bash', input: { command: 'ls' } }],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'toolu_01', content: 'README.md', ...cached },
            results!.content[1],
          ],
        },
      ],
    })
    expect(upstream.requests.at(-1)?.headers['anthropic-beta']).toBe(betas)
  })

  test('works with a model of another provider, which ignores what only Anthropic has', async () => {
    const { send } = await serve()
    const { status, headers, text } = await send('/v1/messages', { ...turn, model: 'mirror' })
    expect(status).toBe(200)
    expect(headers.get('x-fairlead-ignored')).toBe(
      'cache_control, signature, eager_input_streaming, metadata, context_management, anthropic-beta',
    )
    expect(text).toMatch(/"stop_reason":"end_turn"/)
  })

  test('counts the tokens of its tools', async () => {
    const { upstream, send } = await serve()
    upstream.answer(replaying({ json: { input_tokens: 340 } }))
    const { tools, model } = turn
    const { text } = await send('/v1/messages/count_tokens', {
      model,
      tools,
      messages: [{ role: 'user', content: 'foo' }],
    })
    expect(JSON.parse(text)).toEqual({ input_tokens: 340 })
    expect(upstream.requests.at(-1)).toMatchObject({ path: '/v1/messages/count_tokens', body: { model, tools } })
  })
})
