import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buildSchema, type GraphQLInputType, parse, validate, validateInputValue } from 'graphql'
import { describe, expect, test } from 'vitest'
import { curlSample, pythonSample, typescriptSample } from './code-samples.ts'
import { graphqlSample } from './graphql-sample.ts'
import { openaiNodeSample, openaiPythonSample } from './openai-samples.ts'
import { shortened } from './shortened.ts'
import { toChatCompletion } from './to-chat-completion.ts'

const text = { path: '/generate', body: { model: 'scribe', prompt: "it's", max_tokens: 5 } }
const image = { path: '/generate/image', body: { model: 'vista', prompt: 'a lake', quality: 'hd' } }
const analysis = { path: '/analyze', body: { text: 'Nice', tasks: ['sentiment'] } }
const streamed = { path: '/generate', body: { ...text.body, stream: true } }

const schema = { type: 'object', properties: { first_name: { type: 'string' } } }
const conversation = {
  path: '/generate',
  body: {
    model: 'mirror',
    messages: [
      { role: 'system', content: 'Be brief.' },
      {
        role: 'user',
        content: [
          { type: 'image', media_type: 'image/png', data: 'A'.repeat(1_000) },
          { type: 'file', media_type: 'application/pdf', filename: 'a.pdf', data: 'AAAA' },
          { type: 'text', text: 'Hi' },
        ],
      },
      {
        role: 'assistant',
        content: [{ type: 'tool_call', id: 'call_1', name: 'look_up', input: { first_name: 'Ada' } }],
      },
      { role: 'tool', content: [{ type: 'tool_result', tool_call_id: 'call_1', content: 'Lovelace' }] },
    ],
    max_tokens: null,
    tools: [{ name: 'look_up', input_schema: schema }],
    tool_choice: { type: 'tool', name: 'look_up' },
    response_format: { type: 'json_schema', schema },
    reasoning: { effort: 'xhigh' },
    provider_options: { acme: { top_k: 4 } },
  },
}

describe('shortened', () => {
  test('shortened shortens the data of attachments, and nothing else', () => {
    const long = 'word '.repeat(100)
    const { body } = shortened({ ...conversation, body: { ...conversation.body, prompt: long } })
    expect(JSON.stringify(body)).toContain('"data":"AAAAAAAAAAAAAAAAAAAAAAAA…(shortened)"')
    expect(body.prompt).toBe(long)
  })
})

describe('curlSample', () => {
  test('curlSample escapes single quotes for the shell', () => {
    expect(curlSample(text, 'http://service.test')).toContain(String.raw`"prompt": "it'\''s"`)
  })

  test('curlSample prints a stream as it arrives', () => {
    expect(curlSample(streamed, 'http://service.test')).toMatch(/^curl -N http:\/\/service\.test\/generate/)
  })
})

describe('typescriptSample', () => {
  test('typescriptSample reads events only from a stream', () => {
    expect(typescriptSample(streamed, 'http://service.test')).toContain('TextDecoderStream')
    expect(typescriptSample(text, 'http://service.test')).not.toContain('TextDecoderStream')
  })
})

describe('graphqlSample', () => {
  test('graphqlSample gives documents that the schema accepts', async () => {
    const file = '../../../../../../packages/graphql-adapter/src/schema/schema.graphql'
    const graphql = buildSchema(await readFile(join(import.meta.dirname, file), 'utf8'))
    for (const request of [
      text,
      image,
      analysis,
      streamed,
      conversation,
      { ...conversation, body: { ...conversation.body, stream: true } },
    ]) {
      expect(validate(graphql, parse(graphqlSample(request).document))).toEqual([])
    }
  })

  test('graphqlSample names fields and values as the schema does', () => {
    expect(JSON.parse(graphqlSample(streamed).variables)).toEqual({
      input: { model: 'scribe', prompt: "it's", maxTokens: 5 },
    })
    expect(JSON.parse(graphqlSample(image).variables)).toMatchObject({ input: { quality: 'HD' } })
    expect(JSON.parse(graphqlSample(analysis).variables)).toMatchObject({ input: { tasks: ['SENTIMENT'] } })
  })

  test('graphqlSample gives variables of a conversation that the schema accepts', async () => {
    const file = '../../../../../../packages/graphql-adapter/src/schema/schema.graphql'
    const graphql = buildSchema(await readFile(join(import.meta.dirname, file), 'utf8'))
    const { input } = JSON.parse(graphqlSample(conversation).variables) as { input: object }
    const issues: string[] = []
    validateInputValue(input, graphql.getType('GenerateInput') as GraphQLInputType, ({ message }) =>
      issues.push(message),
    )
    expect(issues).toEqual([])
    expect(input).toMatchObject({
      messages: [
        { role: 'SYSTEM', content: 'Be brief.' },
        {
          contentParts: [
            { type: 'IMAGE', mediaType: 'image/png' },
            { type: 'FILE', filename: 'a.pdf' },
            { type: 'TEXT' },
          ],
        },
        { contentParts: [{ type: 'TOOL_CALL', input: { first_name: 'Ada' } }] },
        { contentParts: [{ type: 'TOOL_RESULT', toolCallId: 'call_1', content: 'Lovelace' }] },
      ],
      tools: [{ inputSchema: schema }],
      reasoning: { effort: 'XHIGH' },
      providerOptions: { acme: { top_k: 4 } },
    })
  })
})

describe('toChatCompletion', () => {
  test('toChatCompletion writes a conversation as chat completions do', () => {
    expect(toChatCompletion(conversation.body)).toEqual({
      model: 'mirror',
      messages: [
        { role: 'system', content: 'Be brief.' },
        {
          role: 'user',
          content: [
            { type: 'image_url', image_url: { url: `data:image/png;base64,${'A'.repeat(1_000)}` } },
            { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,AAAA' } },
            { type: 'text', text: 'Hi' },
          ],
        },
        {
          role: 'assistant',
          content: '',
          tool_calls: [
            { id: 'call_1', type: 'function', function: { name: 'look_up', arguments: '{"first_name":"Ada"}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'Lovelace' },
      ],
      tools: [{ type: 'function', function: { name: 'look_up', parameters: schema } }],
      tool_choice: { type: 'function', function: { name: 'look_up' } },
      response_format: { type: 'json_schema', json_schema: { name: 'answer', schema } },
      reasoning_effort: 'xhigh',
      provider_options: { acme: { top_k: 4 } },
    })
    expect(toChatCompletion(text.body)).toEqual({
      model: 'scribe',
      messages: [{ role: 'user', content: "it's" }],
      max_completion_tokens: 5,
    })
  })
})

describe('samples for libraries', () => {
  test('samples for libraries pass the address of the service, and fields that the library does not know', () => {
    expect(openaiNodeSample(streamed, 'http://service.test')).toContain("baseURL: 'http://service.test/openai/v1'")
    const python = openaiPythonSample(conversation, 'http://service.test')
    expect(python).toContain('base_url="http://service.test/openai/v1"')
    expect(python).toMatch(/extra_body=\{\s+"provider_options"/)
  })

  test('samples for libraries are Python programs', () => {
    for (const code of [
      pythonSample(streamed, 'http://service.test'),
      openaiPythonSample(streamed, 'http://service.test'),
    ]) {
      expect(code).toMatch(/^import /)
      expect(code).not.toMatch(/\b(true|null)\b/)
    }
  })
})
