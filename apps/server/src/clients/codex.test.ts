import { openTestUpstream, replaying, textModel } from '@fairlead/core/testing'
import { local } from '@fairlead/provider-local'
import { openaiCompatible } from '@fairlead/provider-openai-compatible'
import { describe, expect, onTestFinished, test } from 'vitest'
import { recordedRequest, resend } from '../testing/recorded-request.ts'
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

  test('calls its tools', async () => {
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

  test('gets the answer to their results, and the names of what was ignored', async () => {
    const { events, ...reply } = await resend(await serveApp(mirrored), request)
    expect(reply).toMatchObject({ status: 200, ignored })
    const { output } = events.at(-1).response
    expect(output.at(-1)).toMatchObject({ type: 'message', content: [{ text: 'It opens at nine.' }] })
  })
})

describe('Codex with a model of OpenAI', () => {
  test.each<[string, readonly string[], readonly string[]]>([
    ['works without its web search, which a warning names', [], []],
    ['has its web search reach the Responses API where the operator allows it', ['web_search'], ['web_search']],
  ])('%s', async (_title, allow, hosted) => {
    const upstream = await openTestUpstream()
    onTestFinished(() => upstream.close())
    const model = textModel({ id: 'gpt-5.5', chat: true, tools: true, streaming: true, reasoning: true })
    const openai = openaiCompatible({
      preset: 'openai',
      apiKey: 'sk-canary',
      baseUrl: upstream.url,
      dialect: { responses: true },
      models: [model],
      allow,
    })
    const text = { type: 'message', content: [{ type: 'output_text', text: 'At nine.' }] }
    upstream.answer(
      replaying({ json: { status: 'completed', output: [text], usage: { input_tokens: 3, output_tokens: 2 } } }),
    )
    const request = recordedRequest('codex-gpt-5')
    const body = { ...request.body, stream: false }
    const reply = await resend(await serveApp({ core: { providers: [openai] } }), { ...request, body })
    expect(reply).toMatchObject({ status: 200, ignored: `${always}, text.verbosity, tool_search` })
    const search = body.tools.filter(({ type }: { type: string }) => hosted.includes(type))
    const tools = [{ type: 'function' }, { type: 'function' }, ...search]
    expect(upstream.requests.at(-1)).toMatchObject({ path: expect.stringMatching(/\/responses$/), body: { tools } })
    expect(reply.warnings.includes('web_search')).toBe(hosted.length === 0)
  })
})
