import type { RecordedEvent, RecordedReply } from '../fakes/recorded-exchange.ts'
import { type AnswerPart, type TextAnswer, readToolInput, textAnswer } from '@fairlead/core/provider'
import { type Capability, capabilities, capabilityRequests } from './capability-requests.ts'
import type { CapabilityReplay } from './suite-options.ts'

interface Recorded {
  readonly parts: readonly Readonly<Record<string, string>>[]
  /** The same as pieces of a stream. Default: the parts. */
  readonly pieces?: readonly Readonly<Record<string, string>>[]
  readonly ended?: string
  /** The stop sequence that ended it. */
  readonly before?: string
  readonly tokens?: Readonly<Record<string, number>>
  readonly answer: Partial<TextAnswer>
}

function says(text: string, more: Partial<Recorded> = {}): Recorded {
  return { parts: [{ piece: text }], answer: textAnswer(text), ...more }
}

function calls(parts: readonly AnswerPart[], wire: readonly Readonly<Record<string, string>>[]): Recorded {
  const pieces = wire.flatMap(({ call, name, json = '' }): Readonly<Record<string, string>>[] => [
    { call: call!, name: name!, json: json.slice(0, 6) },
    { call: call!, name: name!, json: json.slice(6) },
  ])
  return { parts: wire, pieces, ended: 'tools', answer: { parts, finishReason: 'tool_calls' } }
}

const weatherCall = { type: 'tool_call', id: 'w1', name: 'get_weather', ...readToolInput('{"city":"Lisbon"}') } as const
const timeCall = { type: 'tool_call', id: 't2', name: 'get_time', ...readToolInput('{"place":"Osaka"}') } as const
const weatherWire = { call: 'w1', name: 'get_weather', json: '{"city":"Lisbon"}' }
const timeWire = { call: 't2', name: 'get_time', json: '{"place":"Osaka"}' }

const recorded: Readonly<Record<Capability, Recorded>> = {
  chat: says('You are Ada.'),
  system: says('It scatters blue light.'),
  image: says('Red.'),
  imageUrl: says('A lake.'),
  file: says('Nothing.'),
  tool: calls([weatherCall], [weatherWire]),
  parallelTools: calls([weatherCall, timeCall], [weatherWire, timeWire]),
  toolResult: says('It is sunny in Porto.'),
  forcedTool: calls([weatherCall], [weatherWire]),
  jsonSchema: says('{"capitalCity":"Paris","countryName":"France"}'),
  reasoning: {
    parts: [{ thought: 'Sieve the numbers.', seal: 'c2VhbGVk' }, { piece: 'There are 25.' }],
    pieces: [{ thought: 'Sieve the ' }, { thought: 'numbers.', seal: 'c2VhbGVk' }, { piece: 'There are 25.' }],
    tokens: { read: 9, written: 12, thought: 7 },
    answer: {
      parts: [
        { type: 'reasoning', text: 'Sieve the numbers.', providerOptions: { sample: { seal: 'c2VhbGVk' } } },
        { type: 'text', text: 'There are 25.' },
      ],
      finishReason: 'stop',
      usage: { promptTokens: 9, completionTokens: 12, reasoningTokens: 7 },
    },
  },
  reasoningOff: says('Four.'),
  refusal: says('I cannot help with that.', {
    ended: 'refused',
    answer: textAnswer('I cannot help with that.', { finishReason: 'content_filter' }),
  }),
  cachedTokens: says('It has three parts.', {
    tokens: { read: 9, written: 5, cached: 8 },
    answer: textAnswer('It has three parts.', {
      usage: { promptTokens: 9, completionTokens: 5, cachedPromptTokens: 8 },
    }),
  }),
  stopSequence: says('One, two, three, ', {
    before: 'four',
    answer: textAnswer('One, two, three, ', { stopSequence: 'four' }),
  }),
  citations: {
    parts: [{ piece: 'Lake Baikal.', source: 'https://lakes.example' }],
    answer: { parts: [{ type: 'text', text: 'Lake Baikal.', citations: [{ url: 'https://lakes.example' }] }] },
  },
  webSearch: {
    parts: [{ piece: 'It opens at nine.', source: 'https://porto.example' }],
    tokens: { read: 9, written: 5, searches: 1 },
    answer: {
      parts: [{ type: 'text', text: 'It opens at nine.', citations: [{ url: 'https://porto.example' }] }],
      usage: { promptTokens: 9, completionTokens: 5, webSearches: 1 },
    },
  },
  ownBlocks: {
    parts: [{ searched: 'longest river' }, { piece: 'The Nile.' }],
    answer: {
      parts: [
        { type: 'opaque', provider: 'sample', dialect: 'google', kind: 'search', data: { searched: 'longest river' } },
        { type: 'text', text: 'The Nile.' },
      ],
    },
  },
}

function createReplay(capability: Capability): CapabilityReplay {
  const { parts, pieces = parts, ended = 'done', before, tokens, answer } = recorded[capability]
  const exchange = (more: object, reply: RecordedReply) => ({
    request: { method: 'POST', path: '/write', body: { model: 'any', ...capabilityRequests[capability], ...more } },
    reply,
  })
  const end = { ended, ...(before !== undefined && { before }), tokens: tokens ?? { read: 9, written: 5 } }
  const events: readonly RecordedEvent[] = [...pieces, end].map((data) => ({ data }))
  return { text: exchange({}, { json: { parts, ...end } }), stream: exchange({ stream: true }, { events }), answer }
}

/** The replays of the suite for the capabilities of the sample. */
export const sampleCapabilities = Object.fromEntries(
  capabilities.map((capability) => [capability, createReplay(capability)]),
) as Readonly<Record<Capability, CapabilityReplay>>
