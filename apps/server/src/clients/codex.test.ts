import { openTestUpstream, replaying, fakeTextModel } from '@fairlead/testing'
import { local } from '@fairlead/provider-local'
import { openaiCompatible } from '@fairlead/provider-openai-compatible'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type RecordedRequest, recordedRequest, resend } from '../testing/recorded-request.ts'
import { serveApp } from '../testing/serve-app.ts'

const mirrored = { core: { providers: [local()], aliases: { 'gpt-*': 'mirror', smart: 'mirror' } } }
const always = 'prompt_cache_key, client_metadata'

/** How Codex sends its tools depends on the model. */
describe.each([
  ['a model that it does not know', 'codex', ['exec_command'], `${always}, reasoning.summary, web_search`],
  ['GPT-5.5', 'codex-gpt-5', ['exec_command', 'apply_patch'], `${always}, text.verbosity, tool_search, web_search`],
  ['GPT-6.1', 'codex-gpt-6', ['exec'], `${always}, reasoning.context, text.verbosity`],
])('Codex with %s', (_model, name, calls, ignored) => {
  const request = recordedRequest(name)
  const items: readonly { type: string }[] = request.body.input

  test('Codex calls its tools', async () => {
    const asked = items.filter(({ type }) => type === 'message' || type === 'additional_tools')
    const { status, events } = await resend(await serveApp(mirrored), {
      ...request,
      body: { ...request.body, input: asked },
    })
    expect(status).toBe(200)
    const { type, response } = events.at(-1)
    const called = response.output.filter(({ name: tool }: { name?: string }) => tool !== undefined)
    expect([type, called.map(({ name: tool }: { name: string }) => tool)]).toEqual(['response.completed', calls])
    const fields = ({ type: kind, name: tool, namespace }: Record<string, unknown>) => ({ kind, tool, namespace })
    expect(called.map(fields)).toEqual(items.filter((item) => 'name' in item).map((item) => fields({ ...item })))
  })

  test('Codex gets the answer to their results, and the names of what was ignored', async () => {
    const { events, ...reply } = await resend(await serveApp(mirrored), request)
    expect(reply).toMatchObject({ status: 200, ignored })
    const { output } = events.at(-1).response
    expect(output.at(-1)).toMatchObject({ type: 'message', content: [{ text: 'It opens at nine.' }] })
  })
})

const able = { chat: true, tools: true, vision: true, streaming: true, reasoning: true, structured: true } as const

/** OpenAI behind Fairlead, and what reaches it of a request. */
async function serveOpenai(allow: readonly string[]) {
  const upstream = await openTestUpstream()
  onTestFinished(() => upstream.close())
  const openai = openaiCompatible({
    preset: 'openai',
    apiKey: 'sk-canary',
    baseUrl: upstream.url,
    dialect: { responses: true },
    models: ['gpt-5.5', 'gpt-6.1-sol', 'smart'].map((id) => fakeTextModel({ ...able, id, maxTokens: 100_000 })),
    allow,
  })
  const text = { type: 'message', content: [{ type: 'output_text', text: 'At nine.' }] }
  upstream.answer(
    replaying({ json: { status: 'completed', output: [text], usage: { input_tokens: 3, output_tokens: 2 } } }),
  )
  const app = await serveApp({ core: { providers: [openai] } })
  return async (request: RecordedRequest) => {
    const reply = await resend(app, { ...request, body: { ...request.body, stream: false } })
    const { path, body } = upstream.requests.at(-1)!
    return { reply, path, sent: body as Record<string, unknown> }
  }
}

/**
 * The turns of a session: what it had sent before the answer of the model, and the whole. Its model did not encrypt its
 * reasoning, as OpenAI's do.
 */
function splitTurns({ body }: RecordedRequest): readonly (readonly object[])[] {
  const items = (body.input as readonly { readonly type: string }[]).map((item) =>
    item.type === 'reasoning' ? { ...item, encrypted_content: 'gAAAAB' } : item,
  )
  const isAnswer = ({ type }: { readonly type: string }) => type === 'reasoning' || type.endsWith('_call')
  return [items.filter((item) => !isAnswer(item) && !item.type.endsWith('_output')), items]
}

describe('Codex with a model of OpenAI', () => {
  test.each(['codex', 'codex-gpt-5', 'codex-gpt-6'])(
    'Codex with a model of OpenAI has every turn reach the Responses API with the input, instructions, and tools that it sent: %s',
    async (name) => {
      const ask = await serveOpenai(['tools'])
      const request = recordedRequest(name)
      const { stream: _stream, model: _model, input: _input, ...fields } = request.body
      for (const input of splitTurns(request)) {
        const { reply, path, sent } = await ask({ ...request, body: { ...request.body, input } })
        expect(reply).toMatchObject({ status: 200, ignored: null, warnings: '' })
        expect(path).toMatch(/\/responses$/)
        expect(sent).toEqual({ ...fields, input, model: expect.any(String) })
      }
    },
  )

  test('Codex with a model of OpenAI works without its web search, which a warning names, unless the operator allows it', async () => {
    const request = recordedRequest('codex-gpt-5')
    const { reply, sent } = await (await serveOpenai([]))(request)
    expect(sent['tools']).toEqual(request.body.tools.filter(({ type }: { type: string }) => type !== 'web_search'))
    expect(reply.warnings).toMatch(/web_search/)
  })
})
