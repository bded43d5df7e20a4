import { collectAnswer, type TextEvent } from '@fairlead/core/provider'
import { describe, expect, test } from 'vitest'
import { textFromEvents, textFromWire } from './text-from-wire.ts'
import { generateReply } from './wire.ts'

const google = { id: 'google', request: { messages: [] }, body: {}, warnings: [] }
/** The body of a request with a tool of Google's own. */
const searching = { ...google, body: { tools: [{ googleSearch: {} }] as never } }

function reply(parts: readonly object[], candidate: object = { finishReason: 'STOP' }, facts: object = {}) {
  return generateReply.parse({ candidates: [{ content: { parts, role: 'model' }, index: 0, ...candidate }], ...facts })
}

async function* stream(...replies: readonly ReturnType<typeof reply>[]) {
  yield* replies
}

async function collectEvents(replies: readonly ReturnType<typeof reply>[], reading = google) {
  const events: TextEvent[] = []
  for await (const event of textFromEvents(stream(...replies), reading)) events.push(event)
  return events
}

const text = (words: string) => ({ type: 'text', text: words })
const code = { executableCode: { language: 'PYTHON', code: 'print(6 * 7)' }, thoughtSignature: 'EqQB' }
const output = { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '42\n' } }
const opaque = (kind: string, data: object) => ({ type: 'opaque', provider: 'google', dialect: 'google', kind, data })

describe('the parts of an answer', () => {
  test('the parts of an answer are the code that Google ran, as it wrote it, between the texts', async () => {
    const parts = [{ text: 'I compute.' }, code, output, { text: 'It is 42.' }]
    const expected = [
      text('I compute.'),
      opaque('executableCode', code),
      opaque('codeExecutionResult', output),
      text('It is 42.'),
    ]
    expect(await textFromWire(reply(parts), searching)).toMatchObject({ parts: expected, finishReason: 'stop' })
  })

  test('the parts of an answer are generated files, and drafts of them as blocks of thoughts', async () => {
    const inlineData = { mimeType: 'image/png', data: 'iVBORw0KGgo=' }
    const draft = { inlineData, thought: true }
    expect(await textFromWire(reply([draft, { inlineData, thoughtSignature: 'EqQB' }]), google)).toMatchObject({
      parts: [
        opaque('inlineData', draft),
        {
          type: 'file',
          mediaType: 'image/png',
          data: 'iVBORw0KGgo=',
          providerOptions: { google: { thoughtSignature: 'EqQB' } },
        },
      ],
    })
  })

  test('the parts of an answer keep fields of the API that Fairlead does not know', async () => {
    const parts = [{ text: 'Hi', partMetadata: { take: 2 } }, { dream: { of: 'sheep' } }]
    expect(await textFromWire(reply(parts), google)).toMatchObject({
      parts: [
        { ...text('Hi'), native: { google: { partMetadata: { take: 2 } } } },
        opaque('dream', { dream: { of: 'sheep' } }),
      ],
    })
  })

  test('the parts of an answer end one after the other in a stream, those with a signature by themselves', async () => {
    const call = { functionCall: { id: 'fc_1', name: 'look', args: { q: 1 } } }
    const open = {}
    const events = await collectEvents([
      reply([{ text: 'Hmm', thought: true }], open),
      reply([{ text: 'I ' }], open),
      reply([{ text: 'look.' }], open),
      reply([{ text: '', thoughtSignature: 'EqQB' }, call]),
    ])
    const signature = { providerOptions: { google: { thoughtSignature: 'EqQB' } } }
    expect(events.slice(0, -1)).toEqual([
      { type: 'part_start', index: 0, part: { type: 'reasoning', text: '' } },
      { type: 'part_delta', index: 0, text: 'Hmm' },
      { type: 'part_end', index: 0 },
      { type: 'part_start', index: 1, part: text('') },
      { type: 'part_delta', index: 1, text: 'I ' },
      { type: 'part_delta', index: 1, text: 'look.' },
      { type: 'part_end', index: 1 },
      { type: 'part_start', index: 2, part: { ...text(''), ...signature } },
      { type: 'part_end', index: 2 },
      { type: 'part_start', index: 3, part: { type: 'tool_call', id: 'fc_1', name: 'look', inputText: '{"q":1}' } },
      { type: 'part_end', index: 3 },
    ])
  })
})

const web = { web: { uri: 'https://lakes.example/baikal', title: 'Baikal' } }
const file = { retrievedContext: { title: 'lakes.pdf', text: 'Deepest of all.' } }
const baikal = { url: 'https://lakes.example/baikal', title: 'Baikal' }
const lakes = { title: 'lakes.pdf', quote: 'Deepest of all.' }

describe('the citations of a text', () => {
  const answer = 'Öl? Baïkal is deepest.'
  const grounded = (groundingMetadata: object) => ({ finishReason: 'STOP', groundingMetadata })

  test('the citations of a text have the sources of each range, which the API counts in bytes', async () => {
    const groundingMetadata = {
      groundingChunks: [web, file],
      groundingSupports: [
        { segment: { startIndex: 5, endIndex: 24, text: 'Baïkal is deepest.' }, groundingChunkIndices: [0, 1] },
      ],
      webSearchQueries: ['deepest lake'],
    }
    const { parts, response } = await textFromWire(reply([{ text: answer }], grounded(groundingMetadata)), searching)
    const range = { start: 4, end: 22 }
    expect(parts).toEqual([
      {
        ...text(answer),
        citations: [
          { ...baikal, ...range },
          { ...lakes, ...range },
        ],
      },
    ])
    expect(response?.native).toEqual({ google: { candidates: [{ groundingMetadata }] } })
  })

  test('the citations of a text belong to the part that the API names', async () => {
    const parts = [{ text: 'I compute.' }, code, output, { text: 'It is 42.' }]
    const segment = { partIndex: 3, startIndex: 6, endIndex: 8, text: '42' }
    const groundingMetadata = {
      groundingChunks: [web],
      groundingSupports: [
        { segment, groundingChunkIndices: [0] },
        { segment: { endIndex: 9, text: 'I compute' }, groundingChunkIndices: [0] },
      ],
    }
    const answered = await textFromWire(reply(parts, grounded(groundingMetadata)), searching)
    expect(answered.parts).toMatchObject([
      { ...text('I compute.'), citations: [{ ...baikal, start: 0, end: 9 }] },
      { type: 'opaque' },
      { type: 'opaque' },
      { ...text('It is 42.'), citations: [{ ...baikal, start: 6, end: 8 }] },
    ])
  })

  test('the citations of a text arrive with the last event of a stream, also behind a signature and another part', async () => {
    const groundingMetadata = {
      groundingChunks: [web],
      groundingSupports: [{ segment: { startIndex: 5, endIndex: 24 }, groundingChunkIndices: [0] }],
    }
    const replies = [
      reply([{ text: 'Öl? ' }], {}),
      reply([{ text: 'Baïkal is ' }, { text: 'deepest.', thoughtSignature: 'EqQB' }], {}),
      reply([{ functionCall: { name: 'look' } }], { groundingMetadata: { webSearchQueries: ['lakes'] } }),
      reply([], grounded(groundingMetadata)),
    ]
    const { parts, response } = await collectAnswer(textFromEvents(stream(...replies), searching))
    expect(parts).toMatchObject([
      { ...text('Öl? Baïkal is '), citations: [{ ...baikal, start: 4, end: 14 }] },
      text('deepest.'),
      { type: 'tool_call' },
    ])
    expect(response?.native).toEqual({
      google: { candidates: [{ groundingMetadata: { ...groundingMetadata, webSearchQueries: ['lakes'] } }] },
    })
  })

  test.each([
    [
      'a range that is not the text that it names',
      { segment: { endIndex: 3, text: 'Oil' }, groundingChunkIndices: [0] },
    ],
    ['a range of a part that is not there', { segment: { partIndex: 7, endIndex: 3 }, groundingChunkIndices: [0] }],
    ['no range', undefined],
  ])('the citations of a text have no range if the API gives %s', async (_what, support) => {
    const groundingMetadata = { groundingChunks: [web], ...(support && { groundingSupports: [support] }) }
    const { parts } = await textFromWire(reply([{ text: answer }], grounded(groundingMetadata)), searching)
    expect(parts).toEqual([{ ...text(answer), citations: [baikal] }])
  })

  test('the citations of a text have what the model quoted by itself', async () => {
    const citationSources = [{ startIndex: 5, endIndex: 12, uri: 'https://lakes.example/baikal', license: 'MIT' }]
    const candidate = { finishReason: 'STOP', citationMetadata: { citationSources } }
    const { parts } = await textFromWire(reply([{ text: answer }], candidate), google)
    expect(parts).toEqual([{ ...text(answer), citations: [{ url: baikal.url, start: 4, end: 10 }] }])
  })

  test('the citations of a text are absent if the API writes them in another form', async () => {
    const candidate = { finishReason: 'STOP', groundingMetadata: { groundingChunks: 1 }, citationMetadata: [] }
    const { parts } = await textFromWire(reply([{ text: answer }], candidate), searching)
    expect(parts).toEqual([text(answer)])
  })
})

describe('the facts of an answer', () => {
  test('the facts of an answer are its id, model, and tier, and all fields of the reply that core does not read', async () => {
    const usageMetadata = {
      promptTokenCount: 4,
      toolUsePromptTokenCount: 3,
      trafficType: 'ON_DEMAND',
      serviceTier: 'flex',
    }
    const facts = { responseId: 'kZgp', modelVersion: 'gemini-3.8-flash-001', modelStatus: { modelStage: 'STABLE' } }
    const candidate = { finishReason: 'STOP', safetyRatings: [{ category: 'C', probability: 'LOW' }] }
    const answered = await textFromWire(reply([{ text: 'Hi' }], candidate, { ...facts, usageMetadata }), google)
    expect(answered).toMatchObject({
      usage: { promptTokens: 7, completionTokens: 0, tiers: ['flex'], native: { google: usageMetadata } },
      response: {
        id: 'kZgp',
        model: 'gemini-3.8-flash-001',
        serviceTier: 'flex',
        native: {
          google: { modelStatus: facts.modelStatus, candidates: [{ safetyRatings: candidate.safetyRatings }] },
        },
      },
    })
  })

  test('the facts of an answer come first in a stream, once', async () => {
    const facts = { responseId: 'kZgp', modelVersion: 'gemini-3.8-flash' }
    const events = await collectEvents([reply([{ text: 'Hi' }], {}, facts), reply([], { finishReason: 'STOP' }, facts)])
    expect(events.map(({ type }) => type)).toEqual(['start', 'part_start', 'part_delta', 'alive', 'part_end', 'finish'])
    expect(events[0]).toEqual({ type: 'start', response: { id: 'kZgp', model: 'gemini-3.8-flash' } })
  })

  test('the facts of an answer have the probabilities of all tokens of a stream', async () => {
    const chosen = (token: string) => ({ logprobsResult: { chosenCandidates: [{ token, logProbability: -0.5 }] } })
    const replies = [
      reply([{ text: 'A' }], chosen('A')),
      reply([{ text: 'B' }], { finishReason: 'STOP', ...chosen('B') }),
    ]
    expect((await collectEvents(replies)).at(-1)).toMatchObject({
      logprobs: { chosenCandidates: [{ token: 'A' }, { token: 'B' }] },
    })
  })
})
