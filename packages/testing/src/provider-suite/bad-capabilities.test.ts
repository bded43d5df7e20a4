import {
  type AnswerPart,
  type EmbeddingAnswer,
  type Message,
  ProviderError,
  type TextAnswer,
  type TextEvent,
  type TextRequest,
  type ToolCallPart,
} from '@fairlead/core/provider'
import { describe, expect, test } from 'vitest'
import { capabilities } from './capability-requests.ts'
import { body, good, type Make, modified, records, replays, runTitled, sampleTitles } from './run-sample.ts'

/** The sample that sends other messages. */
const messages = (change: (message: Message) => object | undefined): Make =>
  body((request) => ({ ...request, messages: request.messages.map(change).filter((each) => each !== undefined) }))
/** The sample without some parts of its messages. */
const without = (isDropped: (part: Message['content'][number]) => boolean): Make =>
  messages((message) => ({ ...message, content: message.content.filter((part) => !isDropped(part)) }))
/** The sample that always sends the same value for a field, if it is set. */
const constant = (field: keyof TextRequest, value: unknown): Make =>
  body((request) => ({ ...request, ...(request[field] !== undefined && { [field]: value }) }))
/** The sample that returns another answer. */
const answer = (change: (whole: TextAnswer) => object): Make =>
  modified(({ generateText }) => ({
    generateText: async (request, call) => change(await generateText(request, call)) as TextAnswer,
  }))
const parts = (change: (part: AnswerPart) => object): Make =>
  answer((whole) => ({ ...whole, parts: whole.parts.map(change) }))
/** The sample that streams other events. */
const events = (change: (event: TextEvent) => object): Make =>
  modified(({ streamText }) => ({
    async *streamText(request, call) {
      for await (const event of streamText(request, call)) yield change(event) as TextEvent
    },
  }))
const started = (change: (part: AnswerPart) => object): Make =>
  events((event) => (event.type === 'part_start' ? { ...event, part: change(event.part) } : event))
const embedding = (change: (whole: EmbeddingAnswer, texts: readonly string[]) => object): Make =>
  modified(({ embed }) => ({
    embed: async (request, call) => change(await embed(request, call), request.texts) as EmbeddingAnswer,
  }))
/** The sample that embeds other texts or settings. */
const embeds = (change: (texts: readonly string[]) => readonly string[]): Make =>
  modified(({ embed }) => ({ embed: (request, call) => embed({ ...request, texts: change(request.texts) }, call) }))
const failsWith = (failure: 'give_up' | 'invalid_request'): Make =>
  modified(({ generateText }) => ({
    generateText: (request, call) =>
      generateText(request, call).catch(() => {
        throw new ProviderError(failure, 'the reply is broken')
      }),
  }))

function parsedInput({ inputText }: ToolCallPart): object {
  try {
    return JSON.parse(inputText) as object
  } catch {
    throw new ProviderError('retry', 'the input is not JSON')
  }
}

function withoutOptions(part: AnswerPart | Message['content'][number]): object {
  return { ...part, providerOptions: undefined }
}

function withoutCitations(part: AnswerPart): object {
  return { ...part, citations: undefined }
}

function withoutData(part: Message['content'][number]): object {
  return part.type === 'opaque' ? { ...part, data: {} } : part
}

const defaults = { maxTokens: 1_024, temperature: 1, topP: 1, frequencyPenalty: 0, presencePenalty: 0 }
const otherRoles = { user: 'assistant', assistant: 'user', system: 'system', tool: 'tool' } as const

/** Each bad provider, the test that fails for it, and how it is made. */
const badProviders: readonly (readonly [string, string, Make])[] = [
  [
    'drops the system message',
    'sends every text of the request (system, text)',
    messages((message) => (message.role === 'system' ? undefined : message)),
  ],
  [
    'swaps the roles',
    'sends the documented request with its key (chat, text)',
    messages(({ role, content }) => ({ role: otherRoles[role], content })),
  ],
  [
    'sends only the last message',
    'sends every text of the request (chat, text)',
    body((request) => ({ ...request, messages: request.messages.slice(-1) })),
  ],
  [
    'sends the messages in the reverse order',
    'keeps the order of the messages (text)',
    body((request) => ({ ...request, messages: request.messages.toReversed() })),
  ],
  ['drops images', 'sends every text of the request (image, text)', without(({ type }) => type === 'image')],
  [
    'drops the URLs of images',
    'sends every text of the request (imageUrl, text)',
    without(({ type }) => type === 'image'),
  ],
  ['drops files', 'sends every text of the request (file, stream)', without(({ type }) => type === 'file')],
  [
    'drops a tool',
    'sends every text of the request (parallelTools, text)',
    body(({ tools, ...request }) => ({ ...request, tools: tools?.slice(0, 1) })),
  ],
  [
    'drops the descriptions of tools',
    'sends every text of the request (tool, text)',
    body(({ tools, ...request }) => ({
      ...request,
      tools: tools?.map(({ description: _description, ...tool }) => tool),
    })),
  ],
  [
    'replaces the schema of an input',
    'sends every text of the request (tool, text)',
    body(({ tools, ...request }) => ({
      ...request,
      tools: tools?.map((tool) => ({ ...tool, inputSchema: { type: 'object' } })),
    })),
  ],
  [
    'drops the calls that a result belongs to',
    'sends every text of the request (toolResult, text)',
    without(({ type }) => type === 'tool_call'),
  ],
  [
    'sends tool results without their calls',
    'keeps each tool result with its call (text)',
    messages((message) =>
      message.role === 'tool' ? { ...message, content: message.content.map(({ content }) => content) } : message,
    ),
  ],
  ['ignores toolChoice', 'sends each toolChoice or warns (text)', constant('toolChoice', undefined)],
  ['lets the model choose any tool', 'sends each toolChoice or warns (stream)', constant('toolChoice', 'required')],
  [
    'ignores parallelToolCalls',
    'sends each parallelToolCalls or warns (text)',
    constant('parallelToolCalls', undefined),
  ],
  [
    'asks for any JSON in the place of a schema',
    'sends each responseFormat or warns (text)',
    constant('responseFormat', { type: 'json' }),
  ],
  ['has one effort for all', 'sends each reasoning or warns (text)', constant('reasoning', { effort: 'high' })],
  [
    'writes the input of a tool anew',
    'reads the documented reply (tool, text)',
    parts((part) =>
      part.type === 'tool_call' ? { ...part, inputText: JSON.stringify(part.input, undefined, 1) } : part,
    ),
  ],
  [
    'fails for an input that is not a JSON object',
    'returns the text of an input that is not a JSON object (tool, text)',
    parts((part) => ({ ...part, ...(part.type === 'tool_call' && { input: parsedInput(part) }) })),
  ],
  [
    'replaces an input that is not a JSON object with an empty one',
    'returns the text of an input that is not a JSON object (tool, text)',
    parts((part) => ({ ...part, inputText: '{}' })),
  ],
  [
    'reuses an id for parallel calls',
    'reads the documented reply (parallelTools, text)',
    parts((part) => ({ ...part, id: 'w1' })),
  ],
  [
    'ends tool calls with stop',
    'reads the documented reply (tool, text)',
    answer((all) => ({ ...all, finishReason: 'stop' })),
  ],
  ['returns no tool calls', 'reads the documented reply (tool, text)', answer((whole) => ({ ...whole, parts: [] }))],
  [
    'streams a tool call without a name',
    'reads the documented reply (tool, stream)',
    started((part) => (part.type === 'tool_call' ? { ...part, name: '' } : part)),
  ],
  [
    'streams parallel calls under one id',
    'reads the documented reply (parallelTools, stream)',
    started((part) => (part.type === 'tool_call' ? { ...part, id: 'w1' } : part)),
  ],
  [
    'streams reasoning as text',
    'reads the documented reply (reasoning, stream)',
    started((part) => (part.type === 'reasoning' ? { ...part, type: 'text' } : part)),
  ],
  ['loses citations', 'reads the documented reply (citations, text)', parts(withoutCitations)],
  [
    'forgets the blocks of its own API',
    'sends blocks of its own API back as they came (text)',
    without(({ type }) => type === 'opaque'),
  ],
  [
    'changes the blocks of its own API',
    'sends blocks of its own API back as they came (stream)',
    messages(({ role, content }) => ({ role, content: content.map(withoutData) })),
  ],
  ['loses the data of reasoning', 'reads the documented reply (reasoning, text)', parts(withoutOptions)],
  [
    'does not send the data of reasoning back',
    'sends its own answer back (reasoning, text)',
    messages(({ role, content }) => ({ role, content: content.map(withoutOptions) })),
  ],
  [
    'does not send its tool calls back',
    'sends its own answer back (tool, stream)',
    without(({ type }) => type === 'tool_call'),
  ],
  [
    'does not count reasoning',
    'reads the documented reply (reasoning, text)',
    answer(({ usage, ...whole }) => ({ ...whole, usage: { ...usage, reasoningTokens: undefined } })),
  ],
  [
    'does not count cached tokens',
    'reads the documented reply (cachedTokens, text)',
    answer(({ usage, ...whole }) => ({ ...whole, usage: { ...usage, cachedPromptTokens: undefined } })),
  ],
  [
    'does not name the stop sequence',
    'reads the documented reply (stopSequence, text)',
    answer(({ stopSequence: _sequence, ...whole }) => whole),
  ],
  [
    'names another stop sequence',
    'reads the documented reply (stopSequence, stream)',
    events((event) => (event.type === 'finish' ? { ...event, stopSequence: 'five' } : event)),
  ],
  [
    'returns a refusal as an answer',
    'reads the documented reply (refusal, text)',
    answer((whole) => ({ ...whole, finishReason: 'stop' })),
  ],
  ['ignores providerOptions', 'sends providerOptions or warns (text)', constant('providerOptions', undefined)],
  [
    'sends the options of all providers',
    'sends providerOptions or warns (stream)',
    body(({ providerOptions, ...request }) => ({
      ...request,
      ...Object.assign({}, ...Object.values(providerOptions ?? {})),
      all: JSON.stringify(providerOptions),
    })),
  ],
  [
    'ignores the providerOptions of a text',
    'sends the providerOptions of a text or warns (text)',
    messages(({ role, content }) => ({ role, content: content.map(withoutOptions) })),
  ],
  [
    'ignores the providerOptions of a tool',
    'sends the providerOptions of a tool or warns (text)',
    body(({ tools, ...request }) => ({
      ...request,
      tools: tools?.map(({ providerOptions: _options, ...tool }) => tool),
    })),
  ],
  ...Object.keys(defaults).map((field): readonly [string, string, Make] => [
    `sends a default for ${field}`,
    `leaves out ${field} when it is absent (text)`,
    body((request) => ({ ...defaults, ...request })),
  ]),
  [
    'completes a stream that ended inside a tool call',
    'fails with retry if its reply is truncated (tool, stream)',
    modified(({ streamText }) => ({
      async *streamText(request, call) {
        let isFinished = false
        for await (const event of streamText(request, call)) {
          isFinished = event.type === 'finish'
          yield event
        }
        if (!isFinished) yield { type: 'finish', finishReason: 'stop' }
      },
    })),
  ],
  ['gives up on a truncated reply', 'fails with retry if its reply is truncated (tool, text)', failsWith('give_up')],
  [
    'fails with a bug for an end that it does not know',
    'survives every wrong type in the reply (tool, text)',
    answer((whole) => {
      if (whole.finishReason !== 'tool_calls') throw new TypeError('unknown end')
      return whole
    }),
  ],
  [
    'returns the vectors in another order',
    'reads the documented reply (embedding)',
    embedding((whole) => ({ ...whole, embeddings: whole.embeddings.toReversed() })),
  ],
  [
    'embeds the texts in another order',
    'sends all texts, whole and in their order, or rejects them (embedding)',
    embeds((texts) => texts.toReversed()),
  ],
  [
    'trims the texts',
    'sends all texts, whole and in their order, or rejects them (embedding)',
    embeds((texts) => texts.map((text) => text.trim())),
  ],
  [
    'pads missing vectors',
    'invents no vector that the upstream did not return',
    embedding((whole, texts) => ({
      ...whole,
      embeddings: texts.map((_, index) => whole.embeddings[index] ?? [0, 0, 0]),
    })),
  ],
  [
    'returns a constant count',
    'reads the token count of the reply (embedding)',
    embedding((whole) => ({ ...whole, promptTokens: 6 })),
  ],
  [
    'ignores the dimensions',
    'sends the dimensions or warns (embedding)',
    modified(({ embed }) => ({
      embed: ({ dimensions: _dimensions, ...request }, call) => embed(request, call),
    })),
  ],
]

describe('the provider suite fails for a provider that', () => {
  test.each(badProviders)('the provider suite fails for a provider that %s', async (_case, title, make) => {
    await expect(runTitled(title, make)).rejects.toThrow('The provider ')
    expect(await runTitled(title, good)).toBeUndefined()
  })

  test.each(capabilities)(
    'the provider suite fails for a provider that has no replay of a capability of its models (%s)',
    async (capability) => {
      const others = records.filter((record) => record.capability !== capability || record.kind === 'text')
      const title = `has a replay of ${capability}`
      const missing = `capabilities.${capability}.text and capabilities.${capability}.stream: record them, or skip this test`
      await expect(runTitled(title, good, replays, others)).rejects.toThrow(missing)
      expect(await runTitled(title, good)).toBeUndefined()
    },
  )
})

test('the sample provider passes each test of a capability', async () => {
  const titles = sampleTitles.filter((title) => capabilities.some((name) => title.includes(`(${name}, `)))
  expect(titles.length).toBeGreaterThan(capabilities.length * 8)
  for (const title of titles) expect([title, await runTitled(title, good)]).toEqual([title, undefined])
})
