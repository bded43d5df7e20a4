import type { GenerateInput, Generation } from '@fairlead/core/types'
import { local } from '@fairlead/provider-local'
import { eventsIn } from '@fairlead/testing'
import { describe, expect, test } from 'vitest'
import { serveApp } from './testing/serve-app.ts'

const turns = 20
const tools = [
  {
    name: 'get_weather',
    description: 'The weather in a city',
    inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
]

/** The script of `mirror`: a turn with one call and some reasoning, one with two calls, and so on, and then an answer. */
const script = [
  '```mirror',
  ...Array.from({ length: turns - 1 }, (_, turn) => [
    `reasoning: Turn ${turn}.`,
    `reply: Let me see, ${turn}.`,
    ...Array.from({ length: 1 + (turn % 2) }, (_call, at) => `tool_call: get_weather {"city": "City ${turn}.${at}"}`),
    'next:',
  ]).flat(),
  'reply: Take an umbrella everywhere.',
  '```',
  'Where do I need an umbrella?',
].join('\n')

type Messages = NonNullable<GenerateInput['messages']>
type Generate = (messages: Messages) => Promise<Generation>

/** Talks until the model calls no more tools, and returns what each turn answered, without ids and times. */
async function converse(generate: Generate) {
  const messages: Messages[number][] = [{ role: 'user', content: script }]
  const answers: unknown[] = []
  for (let turn = 0; turn < turns; turn++) {
    const { content, parts, usage, finishReason } = await generate(messages)
    answers.push({ content, parts, usage, finishReason })
    messages.push({ role: 'assistant', content: parts })
    const calls = parts.filter((part) => part.type === 'tool_call')
    if (calls.length === 0) break
    const results = calls.map(({ id, input }) => ({
      type: 'tool_result' as const,
      toolCallId: id,
      content: `Rain in ${String(input['city'])}`,
    }))
    messages.push({ role: 'tool', content: results })
  }
  return answers
}

const settings = { model: 'mirror', maxTokens: null, tools, reasoning: { effort: 'low' as const } }

describe(`a conversation of ${turns} turns with tools`, () => {
  test('a long conversation with tools gives the same over REST, streamed REST, GraphQL, OpenAI and embedded', async () => {
    const { fairlead, ask } = await serveApp({ core: { providers: [local()] } })
    const embedded = await converse((messages) => fairlead.generate({ ...settings, messages }))
    expect(embedded).toHaveLength(turns)
    expect(embedded[0]).toMatchObject({
      content: 'Let me see, 0.',
      parts: [{ type: 'reasoning', text: 'Turn 0.' }, { type: 'text' }, { type: 'tool_call' }],
      finishReason: 'tool_calls',
    })
    expect(embedded.at(-1)).toMatchObject({ content: 'Take an umbrella everywhere.', finishReason: 'stop' })

    const post = async (path: string, body: unknown) =>
      ask(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
    const rest = await converse(async (messages) => {
      const reply = await post('/generate', toSnake({ ...settings, messages }))
      return toCamel(((await reply.json()) as { data: unknown }).data) as Generation
    })
    expect(rest).toEqual(embedded)

    const streamed = await converse(async (messages) => {
      const text = await (await post('/generate', toSnake({ ...settings, messages, stream: true }))).text()
      return toCamel(eventsIn(text).find(({ event }) => event === 'done')?.data.data) as Generation
    })
    expect(streamed).toEqual(embedded)

    const graphql = await converse(async (messages) => {
      const variables = { input: { ...settings, reasoning: { effort: 'LOW' }, messages: messages.map(toGraphql) } }
      const { data } = (await (await post('/graphql', { query, variables })).json()) as {
        data: { generate: { generation: Generation } }
      }
      return fromGraphql(data.generate.generation)
    })
    expect(graphql).toEqual(embedded)

    const openai = await converse(async (messages) => {
      const body = {
        model: settings.model,
        messages: messages.flatMap(toChat),
        tools: tools.map(({ inputSchema, ...described }) => ({
          type: 'function',
          function: { ...described, parameters: inputSchema },
        })),
        reasoning_effort: settings.reasoning.effort,
      }
      return fromChat((await (await post('/openai/v1/chat/completions', body)).json()) as ChatCompletion)
    })
    expect(openai).toEqual(embedded)
  })
})

const query = `mutation ($input: GenerateInput!) {
  generate(input: $input) {
    generation {
      content
      finishReason
      usage { promptTokens completionTokens totalTokens reasoningTokens cachedPromptTokens cacheWriteTokens }
      parts {
        ... on TextPart { type text providerOptions }
        ... on ReasoningPart { type text providerOptions }
        ... on ToolCallPart { type id name input providerOptions }
      }
    }
  }
}`

type Json = Readonly<Record<string, unknown>>

function toGraphql({ role, content }: Messages[number]): Json {
  if (typeof content === 'string') return { role: role.toUpperCase(), content }
  return { role: role.toUpperCase(), contentParts: content.map((part) => ({ ...part, type: part.type.toUpperCase() })) }
}

/** Enums are in upper case, and absent fields are null. */
function fromGraphql(result: Generation): Generation {
  const plain = JSON.parse(JSON.stringify(result), (_name, value: unknown) => value ?? undefined) as Generation
  return {
    ...plain,
    finishReason: plain.finishReason.toLowerCase() as Generation['finishReason'],
  }
}

interface ChatCompletion {
  readonly choices: readonly {
    readonly message: {
      readonly content: string | null
      readonly reasoning_content?: string
      readonly tool_calls?: readonly {
        readonly id: string
        readonly function: { readonly name: string; readonly arguments: string }
      }[]
    }
    readonly finish_reason: Generation['finishReason']
  }[]
  readonly usage: Json & { readonly prompt_tokens_details: Json; readonly completion_tokens_details?: Json }
}

/** OpenAI has a message for each result of a tool, and separate fields for the parts of an answer. */
function toChat({ role, content }: Messages[number]): readonly Json[] {
  if (typeof content === 'string') return [{ role, content }]
  if (role === 'tool') {
    return content.map((part) =>
      part.type === 'tool_result' ? { role, tool_call_id: part.toolCallId, content: part.content } : {},
    )
  }
  const textOf = (type: 'text' | 'reasoning') => content.map((part) => (part.type === type ? part.text : '')).join('')
  const calls = content.flatMap((part) =>
    part.type === 'tool_call'
      ? [{ id: part.id, type: 'function', function: { name: part.name, arguments: JSON.stringify(part.input) } }]
      : [],
  )
  return [{ role, content: textOf('text'), reasoning_content: textOf('reasoning'), tool_calls: calls }]
}

function fromChat({ choices: [choice], usage }: ChatCompletion): Generation {
  if (!choice) throw new Error('there is no choice')
  const { content, reasoning_content: reasoning, tool_calls: calls = [] } = choice.message
  const toolCalls = calls.map((call) => ({
    type: 'tool_call',
    id: call.id,
    name: call.function.name,
    input: JSON.parse(call.function.arguments) as Record<string, unknown>,
  }))
  const { prompt_tokens_details: prompt, completion_tokens_details: completion, ...counts } = usage
  const { cached_tokens: cached } = prompt
  return {
    content: content ?? '',
    finishReason: choice.finish_reason,
    usage: toCamel({ ...counts, ...completion, ...(cached !== 0 && { cached_prompt_tokens: cached }) }),
    parts: [
      ...(reasoning === undefined ? [] : [{ type: 'reasoning', text: reasoning }]),
      ...(content === null ? [] : [{ type: 'text', text: content }]),
      ...toolCalls,
    ],
  } as Generation
}

const freeForm = new Set(['input', 'inputSchema', 'input_schema'])

function renamed(value: unknown, rename: (name: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => renamed(item, rename))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [rename(name), freeForm.has(name) ? item : renamed(item, rename)]),
  )
}

function toSnake(value: unknown): unknown {
  return renamed(value, (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))
}

function toCamel(value: unknown): unknown {
  return renamed(value, (name) => name.replace(/_(\w)/g, (_all, letter: string) => letter.toUpperCase()))
}
