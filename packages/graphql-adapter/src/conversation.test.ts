import { fakeTextModel } from '@fairlead/testing'
import { type Provider, textAnswer, type TextRequest } from '@fairlead/core/provider'
import { describe, expect, test } from 'vitest'
import { resultsIn, serve } from './testing/serve.ts'

const mutation = 'mutation ($input: GenerateInput!) { generate(input: $input) { generation { content } } }'

async function ask(input: object) {
  const requests: TextRequest[] = []
  const provider: Provider = {
    contract: 2,
    id: 'calm',
    models: [fakeTextModel({ chat: true, tools: true, vision: true })],
    async generateText(request) {
      requests.push(request)
      return textAnswer('fine', { usage: { promptTokens: 1, completionTokens: 1 } })
    },
  }
  const served = await serve({ providers: [provider] })
  const { json } = await served.ask(mutation, { input: { model: 'any', ...input } })
  return { json, messages: requests[0]?.messages }
}

const user = (fields: object) => ({ messages: [{ role: 'USER', ...fields }] })
const text = { type: 'TEXT', text: 'a' }
const call = { type: 'TOOL_CALL', id: 'c1', name: 'weather', input: { city: 'Oslo', Snow: null } }
const result = { type: 'TOOL_RESULT', toolCallId: 'c1' }

test('an answer has a refusal and the text of an unreadable tool input, whole and streamed', async () => {
  const inputText = '{"city": Oslo'
  const provider: Provider = {
    contract: 2,
    id: 'calm',
    models: [fakeTextModel({ streaming: true })],
    generateText: async () => ({
      parts: [
        { type: 'refusal', text: 'No.' },
        { type: 'tool_call', id: 'c1', name: 'weather', inputText },
      ],
      finishReason: 'refusal',
      usage: { promptTokens: 2, completionTokens: 3 },
    }),
  }
  const { ask: send } = await serve({ providers: [provider] })
  const answer =
    'refusal parts { ... on RefusalPart { text } ... on ToolCallPart { name input inputText } } finishReason usage { totalTokens }'
  const expected = {
    refusal: 'No.',
    parts: [{ text: 'No.' }, { name: 'weather', input: {}, inputText }],
    finishReason: 'CONTENT_FILTER',
    usage: { totalTokens: 5 },
  }
  const variables = { input: { model: 'any', prompt: 'x' } }
  const whole = await send(
    `mutation ($input: GenerateInput!) { generate(input: $input) { generation { ${answer} } } }`,
    variables,
  )
  expect(whole.json.data).toEqual({ generate: { generation: expected } })

  const chunk = '... on GenerationChunk { part: refusal toolCall { inputDelta } }'
  const streamed = `{ generateStream(input: $input) { ${chunk} ... on Generation { ${answer} } } }`
  const accept = 'text/event-stream'
  const reply = await send(`subscription ($input: GenerateInput!) ${streamed}`, variables, { headers: { accept } })
  expect(resultsIn(reply)).toEqual([
    { data: { generateStream: { part: 'No.', toolCall: null } } },
    { data: { generateStream: { part: null, toolCall: { inputDelta: inputText } } } },
    { data: { generateStream: expected } },
  ])
})

describe('a conversation over GraphQL', () => {
  test('a conversation over GraphQL has parts whose fields of other types are null', async () => {
    const { messages } = await ask(user({ content: null, contentParts: [{ ...text, url: null, input: null }] }))
    expect(messages).toEqual([{ role: 'user', content: [{ type: 'text', text: 'a' }] }])
  })

  test('a conversation over GraphQL has tool calls with their inputs as they are, and results with parts', async () => {
    const { messages } = await ask({
      messages: [
        { role: 'ASSISTANT', contentParts: [call] },
        { role: 'TOOL', contentParts: [{ ...result, contentParts: [text] }] },
      ],
    })
    expect(messages).toMatchObject([
      { role: 'assistant', content: [{ type: 'tool_call', input: { city: 'Oslo', Snow: null } }] },
      { role: 'tool', content: [{ type: 'tool_result', content: [{ type: 'text', text: 'a' }] }] },
    ])
  })

  const both = 'cannot be combined with "content"'
  test.each<[string, object, string, string]>([
    ['text and parts', user({ content: 'a', contentParts: [text] }), 'messages[0].contentParts', both],
    [
      'text and parts in a result',
      {
        messages: [
          { role: 'ASSISTANT', contentParts: [call] },
          { role: 'TOOL', contentParts: [{ ...result, content: 'a', contentParts: [text] }] },
        ],
      },
      'messages[1].contentParts[0].contentParts',
      both,
    ],
    ['neither', user({}), 'messages[0].content', 'is required'],
    [
      'a field of another type',
      user({ contentParts: [{ ...text, url: 'https://example.com' }] }),
      'messages[0].contentParts[0].url',
      'is not a known field',
    ],
    [
      'an image without bytes',
      user({ contentParts: [{ type: 'IMAGE' }] }),
      'messages[0].contentParts[0].url',
      '`url` or `data` is required',
    ],
  ])('a conversation over GraphQL is rejected with %s', async (_case, input, field, issue) => {
    const { json, messages } = await ask(input)
    expect(json.errors).toMatchObject([{ extensions: { code: 'INVALID_REQUEST', details: { field, issue } } }])
    expect(messages).toBeUndefined()
  })
})
