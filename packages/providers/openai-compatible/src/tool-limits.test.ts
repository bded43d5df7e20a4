import type { Message, TextRequest, Tool } from '@fairlead/core/provider'
import { describe, expect, test } from 'vitest'
import { completion, replyingWith } from './testing/ask-replying.ts'
import type { OpenaiCompatibleOptions } from './index.ts'

const longName = `mcp__${'x'.repeat(100)}__read`
const longId = `call_${'9'.repeat(200)}`
const short = expect.stringMatching(/^mcp__x{50}_[0-9a-f]{8}$/)
const shortId = expect.stringMatching(/^call_9{50}_[0-9a-f]{8}$/)
const input = { inputText: '{}', input: {} }
const history: readonly Message[] = [
  { role: 'user', content: [{ type: 'text', text: 'Read it.' }] },
  { role: 'assistant', content: [{ type: 'tool_call', id: longId, name: longName, ...input }] },
  {
    role: 'tool',
    content: [{ type: 'tool_result', toolCallId: longId, name: longName, content: [{ type: 'text', text: 'Hi' }] }],
  },
]

function calling(name: string) {
  const called = { id: 'call_1', type: 'function', function: { name, arguments: '{}' } }
  return completion({ content: null, tool_calls: [called] }, { finish_reason: 'tool_calls' })
}

interface SentTool {
  readonly function: { readonly name: string; readonly parameters: object; readonly strict?: boolean }
}

async function sentFor(about: Partial<TextRequest>, options: Partial<OpenaiCompatibleOptions> = {}) {
  const { write, sent } = await replyingWith(completion(), options)
  const { warnings = [] } = await write(about)
  return { body: sent().body as Record<string, unknown> & { readonly tools: readonly SentTool[] }, warnings }
}

describe('names and ids of tools that are longer than OpenAI takes', () => {
  const tools = [{ name: longName, inputSchema: { type: 'object' } }]

  test('names are shortened alike in tools, choice, calls, and results', async () => {
    const { body } = await sentFor({ tools, toolChoice: { type: 'tool', name: longName }, messages: history })
    const { name } = body.tools[0]!.function
    expect(name).toEqual(short)
    expect(body).toMatchObject({
      tool_choice: { function: { name } },
      messages: [{}, { tool_calls: [{ id: longId, function: { name } }] }, { tool_call_id: longId }],
    })
  })

  test('a name is given back in the answer as the caller wrote it', async () => {
    const { write, sent, reply } = await replyingWith(completion())
    await write({ tools })
    const { name } = (sent().body as { readonly tools: readonly SentTool[] }).tools[0]!.function
    reply(calling(name))
    expect(await write({ tools })).toMatchObject({ parts: [{ type: 'tool_call', name: longName }] })
  })

  test('ids are shortened for OpenAI, whose limit is 64, in calls and results alike', async () => {
    const { body } = await sentFor({ messages: history }, { preset: 'openai' })
    const [, assistant, result] = body['messages'] as readonly Record<string, unknown>[]
    expect(assistant).toMatchObject({ tool_calls: [{ id: shortId }] })
    expect(result).toMatchObject({ tool_call_id: (assistant as { tool_calls: { id: string }[] }).tool_calls[0]!.id })
  })
})

describe('the schema of a tool', () => {
  const parametersOf = async (inputSchema: Tool['inputSchema']) => {
    const { body, warnings } = await sentFor({ tools: [{ name: 'find', inputSchema }] }, { preset: 'openai' })
    return { parameters: body.tools[0]!.function.parameters, warnings }
  }

  test('an object without properties gets an empty list of them, for OpenAI rejects it', async () => {
    expect(await parametersOf({ type: 'object' })).toEqual({
      parameters: { type: 'object', properties: {} },
      warnings: [],
    })
  })

  test('nested objects and arrays are completed too', async () => {
    const { parameters } = await parametersOf({
      type: 'object',
      properties: { list: { type: 'array' }, map: { type: ['object', 'null'] }, any: { anyOf: [{ type: 'object' }] } },
    })
    expect(parameters).toEqual({
      type: 'object',
      properties: {
        list: { type: 'array', items: {} },
        map: { type: ['object', 'null'], properties: {} },
        any: { anyOf: [{ type: 'object', properties: {} }] },
      },
    })
  })

  test('alternatives of the root are joined, with a warning', async () => {
    const a = { type: 'object', properties: { id: { type: 'string' }, a: {} }, required: ['id', 'a'] }
    const b = { type: 'object', properties: { id: { type: 'string' }, b: {} }, required: ['id'] }
    expect(await parametersOf({ anyOf: [a, b] })).toEqual({
      parameters: { type: 'object', properties: { id: { type: 'string' }, a: {}, b: {} }, required: ['id'] },
      warnings: [{ field: 'tools[0].inputSchema', issue: 'the model does not see anyOf of the root' }],
    })
  })

  test('a schema is sent as it is to a server that does not check it', async () => {
    const inputSchema = { anyOf: [{ type: 'object' }] }
    const { body } = await sentFor({ tools: [{ name: 'find', inputSchema }] })
    expect(body.tools[0]!.function.parameters).toEqual(inputSchema)
  })

  test('strict is turned off with a warning for a schema outside of the strict subset', async () => {
    const inputSchema = { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: false }
    const { body, warnings } = await sentFor({ tools: [{ name: 'find', inputSchema, strict: true }] })
    expect(body.tools[0]!.function.strict).toBe(false)
    expect(warnings).toEqual([
      {
        field: 'tools[0].inputSchema',
        issue: 'is followed without a guarantee, because of an optional property properties.a',
      },
    ])
  })

  test('strict stays for a schema inside of the subset', async () => {
    const inputSchema = { type: 'object', properties: {}, required: [], additionalProperties: false }
    const { body, warnings } = await sentFor({ tools: [{ name: 'find', inputSchema, strict: true }] })
    expect({ strict: body.tools[0]!.function.strict, warnings }).toEqual({ strict: true, warnings: [] })
  })
})
