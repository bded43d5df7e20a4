import { openTestUpstream, replaying } from '@fairlead/testing'
import { anthropic } from '@fairlead/provider-anthropic'
import { local } from '@fairlead/provider-local'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type RecordedRequest, recordedRequest, resend } from '../testing/recorded-request.ts'
import { serveApp } from '../testing/serve-app.ts'

async function serve(allow: readonly string[] = []) {
  const upstream = await openTestUpstream()
  onTestFinished(() => upstream.close())
  const claude = anthropic({ models: 'catalog', apiKey: 'sk-ant-canary', baseUrl: upstream.url, allow })
  const app = await serveApp({ core: { providers: [claude, local()] } })
  return { upstream, send: (request: RecordedRequest) => resend(app, request) }
}

const usage = { input_tokens: 3, output_tokens: 2 }
const events = [
  { type: 'message_start', message: { id: 'msg_01', type: 'message', role: 'assistant', content: [], usage } },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'At nine.' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage },
  { type: 'message_stop' },
]
const answer = replaying({ events: events.map((event) => ({ event: event.type, data: event })) })

const turn = recordedRequest('claude-code')
const search = recordedRequest('claude-code-web-search')
const model = 'claude-opus-5-5'

describe('Claude Code', () => {
  test('Claude Code has all that it sends reach a model of Anthropic', async () => {
    const { upstream, send } = await serve()
    upstream.answer(answer)
    const { status, ignored, text } = await send(turn)
    expect([status, ignored]).toEqual([200, null])
    expect(text).toContain('"text":"At nine."')
    expect(upstream.requests.at(-1)?.body).toEqual(turn.body)
    expect(upstream.requests.at(-1)?.headers['anthropic-beta']).toBe(turn.headers['anthropic-beta'])
  })

  test.each([turn, search])(
    'Claude Code has every turn reach Anthropic as it sent it, so that its prompt cache matches: $client',
    async (session) => {
      const { upstream, send } = await serve(['tools'])
      upstream.answer(answer)
      const { messages } = session.body
      const ends = messages.flatMap(({ role }: { role: string }, index: number) =>
        role === 'assistant' ? [index] : [],
      )
      for (const end of [...ends, messages.length]) {
        const body = { ...session.body, model, messages: messages.slice(0, end) }
        expect(await send({ ...session, body })).toMatchObject({ status: 200, ignored: null })
        const sent = upstream.requests.at(-1)?.body as typeof body
        // In their order too: the cache matches the beginning of the text.
        const cached = [sent.tools, sent.system, sent.messages].map((each) => JSON.stringify(each))
        expect(cached).toEqual([body.tools, body.system, body.messages].map((each) => JSON.stringify(each)))
        expect(sent).toEqual(body)
      }
      expect(upstream.requests).toHaveLength(ends.length + 1)
    },
  )

  test('Claude Code works with a model of another provider, which ignores what only Anthropic has', async () => {
    const { send } = await serve()
    const { status, ignored, events: sent } = await send({ ...turn, body: { ...turn.body, model: 'mirror' } })
    expect([status, ignored]).toEqual([
      200,
      'messages[].output_config, cache_control, signature, defer_loading, metadata, context_management, anthropic-beta',
    ])
    expect(sent.at(-2)).toMatchObject({ delta: { stop_reason: 'end_turn' } })
  })

  test('Claude Code calls tools of any model, and gets the answer to their results', async () => {
    const { send } = await serve()
    const request = recordedRequest('claude-code-other-model')
    const asked = request.body.messages.slice(0, 2)
    const { events: calling } = await send({ ...request, body: { ...request.body, messages: asked } })
    const blocks = calling.flatMap(({ content_block: block }) => (block?.type === 'tool_use' ? [block.name] : []))
    expect(blocks).toEqual(['Read', 'WebSearch'])
    expect(calling.at(-2)).toMatchObject({ delta: { stop_reason: 'tool_use' } })
    const { events: answering } = await send(request)
    const texts = answering.map(({ delta }) => delta?.text ?? '')
    expect(texts.join('')).toBe('It opens at nine.')
  })

  test('Claude Code gets a 400 that says that the operator has not allowed the web search of Anthropic', async () => {
    const { upstream, send } = await serve()
    const { status, text } = await send({ ...search, body: { ...search.body, model } })
    expect([status, upstream.requests]).toEqual([400, []])
    expect(text).toContain('has not allowed the hosted tool')
  })

  test('Claude Code searches the web with a model of Anthropic where the operator allows it', async () => {
    const { upstream, send } = await serve(['web_search'])
    upstream.answer(answer)
    expect(await send({ ...search, body: { ...search.body, model } })).toMatchObject({ status: 200, ignored: null })
    const { tools, tool_choice } = search.body
    expect(upstream.requests.at(-1)?.body).toMatchObject({ tools, tool_choice })
  })

  test('Claude Code gets a 400 that says that another model cannot search the web', async () => {
    const { send } = await serve()
    const { status, text } = await send(search)
    expect([status, JSON.parse(text).error.message]).toEqual([
      400,
      'tools[0].type: "mirror" does not search the web; models that do: none',
    ])
  })

  test('Claude Code counts the tokens of its tools', async () => {
    const { upstream, send } = await serve()
    upstream.answer(replaying({ json: { input_tokens: 340 } }))
    const count = recordedRequest('claude-code-count')
    const { text } = await send(count)
    expect(JSON.parse(text)).toEqual({ input_tokens: 340 })
    expect(upstream.requests.at(-1)).toMatchObject({ path: '/v1/messages/count_tokens', body: count.body })
  })
})
