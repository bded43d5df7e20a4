import Anthropic from '@anthropic-ai/sdk'
import { operations } from '@fairlead/testing/workspace'
import { type Provider, textAnswer, textEvents, type TextRequest } from '@fairlead/core/provider'
import { fakeTextModel } from '@fairlead/testing'
import OpenAI from 'openai'
import { expect, test } from 'vitest'
import { serveApp } from './testing/serve-app.ts'

const said = 'Take an umbrella.'
const usage = { promptTokens: 1_000, completionTokens: 20, reasoningTokens: 5, cachedPromptTokens: 400 }

/** A model with prices, and the requests that reach it. */
function priced() {
  const requests: TextRequest[] = []
  const pricing = { input: 2, output: 10, cachedInput: 0.5 }
  const model = fakeTextModel({ chat: true, tools: true, reasoning: true, streaming: true, pricing })
  const provider: Provider = {
    contract: 2,
    id: 'priced',
    models: [model],
    async generateText(request) {
      requests.push(request)
      return textAnswer(said, { usage })
    },
    streamText(request) {
      requests.push(request)
      return textEvents([said.slice(0, 4), said.slice(4)], { usage })
    },
  }
  return { provider, requests }
}

const parameters = { type: 'object' as const, properties: { city: { type: 'string' } } }
const [system, question, result] = ['Be brief.', 'Do I need an umbrella in Oslo?', 'Rain'] as const
const called = { id: 'call_1', name: 'get_weather', input: { city: 'Oslo' } }

/** As REST spells it. */
const settings = { model: 'any', max_tokens: 50, temperature: 0.5, top_p: 0.9 }

const tool = { name: called.name, description: 'The weather in a city' }

const rest = {
  ...settings,
  frequency_penalty: null,
  presence_penalty: null,
  messages: [
    { role: 'system', content: [{ type: 'text', text: system }] },
    { role: 'user', content: [{ type: 'text', text: question }] },
    { role: 'assistant', content: [{ type: 'tool_call', ...called }] },
    { role: 'tool', content: [{ type: 'tool_result', tool_call_id: called.id, content: result }] },
  ],
  tools: [{ ...tool, input_schema: parameters }],
  tool_choice: { type: 'auto' },
  parallel_tool_calls: false,
  reasoning: { effort: 'low' },
}

const embedded = {
  model: 'any',
  maxTokens: 50,
  temperature: 0.5,
  topP: 0.9,
  frequencyPenalty: null,
  presencePenalty: null,
  messages: [
    { role: 'system' as const, content: system },
    { role: 'user' as const, content: question },
    { role: 'assistant' as const, content: [{ type: 'tool_call' as const, ...called }] },
    { role: 'tool' as const, content: [{ type: 'tool_result' as const, toolCallId: called.id, content: result }] },
  ],
  tools: [{ ...tool, inputSchema: parameters }],
  toolChoice: { type: 'auto' as const },
  parallelToolCalls: false,
  reasoning: { effort: 'low' as const },
}

const graphql = {
  query: 'mutation ($input: GenerateInput!) { generate(input: $input) { generation { content } } }',
  variables: {
    input: {
      ...embedded,
      messages: [
        { role: 'SYSTEM', content: system },
        { role: 'USER', content: question },
        { role: 'ASSISTANT', contentParts: [{ type: 'TOOL_CALL', ...called }] },
        { role: 'TOOL', contentParts: [{ type: 'TOOL_RESULT', toolCallId: called.id, content: result }] },
      ],
      toolChoice: { type: 'AUTO' },
      reasoning: { effort: 'LOW' },
    },
  },
}

const chat = {
  ...settings,
  messages: [
    { role: 'system', content: system },
    { role: 'user', content: question },
    {
      role: 'assistant',
      tool_calls: [
        {
          id: called.id,
          type: 'function',
          function: { name: called.name, arguments: JSON.stringify(called.input) },
        },
      ],
    },
    { role: 'tool', tool_call_id: called.id, content: result },
  ],
  tools: [{ type: 'function', function: { ...tool, parameters } }],
  tool_choice: 'auto',
  parallel_tool_calls: false,
  reasoning_effort: 'low',
} satisfies OpenAI.ChatCompletionCreateParams

const { max_tokens: maxTokens, ...sampling } = settings
const response = {
  ...sampling,
  max_output_tokens: maxTokens,
  instructions: system,
  input: [
    { role: 'user', content: question },
    { type: 'function_call', call_id: called.id, name: called.name, arguments: JSON.stringify(called.input) },
    { type: 'function_call_output', call_id: called.id, output: result },
  ],
  tools: [{ type: 'function', ...tool, parameters, strict: null }],
  tool_choice: 'auto',
  parallel_tool_calls: false,
  reasoning: { effort: 'low' },
} satisfies OpenAI.Responses.ResponseCreateParams

const message = {
  ...settings,
  system,
  messages: [
    { role: 'user', content: question },
    { role: 'assistant', content: [{ type: 'tool_use', ...called }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: called.id, content: result }] },
  ],
  tools: [{ ...tool, input_schema: parameters }],
  tool_choice: { type: 'auto', disable_parallel_tool_use: true },
  output_config: { effort: 'low' },
} satisfies Anthropic.MessageCreateParams

interface Said {
  readonly content: string
}

async function served() {
  const { provider, requests } = priced()
  const { core, ask, url, caller } = await serveApp({ core: { providers: [provider] } })
  const openai = new OpenAI({ baseURL: `${url}/openai/v1`, apiKey: caller.token, maxRetries: 0 })
  const anthropic = new Anthropic({ baseURL: `${url}/anthropic`, apiKey: caller.token, maxRetries: 0 })
  const post = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json' }
    return (await (await ask(path, { method: 'POST', headers, body: JSON.stringify(body) })).json()) as {
      data: Said & { generate: { generation: Said } }
    }
  }
  const textOf = ({ content: blocks }: Anthropic.Message) =>
    blocks.map((block) => ('text' in block ? block.text : '')).join('')
  const ways: Readonly<Record<string, () => Promise<string | null | undefined>>> = {
    embedded: async () => {
      const reply = await core.run(operations.generate, caller, embedded)
      return 'data' in reply ? reply.data.content : undefined
    },
    rest: async () => (await post('/generate', rest)).data.content,
    graphql: async () => (await post('/graphql', graphql)).data.generate.generation.content,
    chat: async () => (await openai.chat.completions.create(chat)).choices[0]?.message.content,
    chatStream: () => openai.chat.completions.stream(chat).finalContent(),
    responses: async () => (await openai.responses.create(response)).output_text,
    responsesStream: async () => (await openai.responses.stream(response).finalResponse()).output_text,
    anthropic: async () => textOf(await anthropic.messages.create(message)),
    anthropicStream: async () => textOf(await anthropic.messages.stream(message).finalMessage()),
  }
  return { ways, requests, ask }
}

test('a request with all its settings has the same text, usage and cost over every API', async () => {
  const { ways, requests, ask } = await served()
  for (const [name, say] of Object.entries(ways)) expect([name, await say()]).toEqual([name, said])

  const names = Object.keys(ways)
  expect(requests).toHaveLength(names.length)
  // Anthropic's API adds options for that provider alone.
  const sent = requests.map((request, index) => [names[index], { ...request, providerOptions: undefined }])
  expect(sent).toEqual(names.map((name) => [name, requests[0]]))

  const { data: records } = (await (await ask('/requests')).json()) as { data: readonly Record<string, unknown>[] }
  expect(records).toHaveLength(names.length)
  for (const record of records) {
    expect(record).toMatchObject({
      operation: 'generate',
      model: 'any',
      prompt_tokens: 1_000,
      completion_tokens: 20,
      // 600 tokens at $2, 400 from the cache at $0.50 and 20 at $10, per million.
      cost_usd: 0.0016,
    })
  }
})
