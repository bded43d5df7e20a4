import { describe, expect, test } from 'vitest'
import { ContractViolation, parseResponse, responseSchemas } from './provider-responses.ts'

/** An object that is nested a number of levels deep. */
function nested(levels: number): object {
  return levels === 0 ? {} : { in: nested(levels - 1) }
}

const finish = { finishReason: 'stop' }
const block = { type: 'opaque', provider: 'acme', dialect: 'anthropic', kind: 'search', data: {} }
const file = { type: 'file', mediaType: 'image/png', data: 'aGk=' }
const call = { type: 'tool_call', id: 'c1', name: 'find', inputText: '{}' }
const text = { type: 'text', text: 'Hi' }
const citation = { url: 'https://a.example' }

function parsed(part: object): unknown {
  return parseResponse(responseSchemas.text, { ...finish, parts: [part] }).parts[0]
}

describe('a part of an answer', () => {
  test.each<[string, object]>([
    ['a file without its media type', { ...file, mediaType: undefined }],
    ['a file of more than 80,000,000 characters', { ...file, data: 'a'.repeat(80_000_001) }],
    ['a block of an unknown dialect', { ...block, dialect: 'smalltalk' }],
    ['a block without its provider', { ...block, provider: undefined }],
    ['a block that is no object', { ...block, data: 'search' }],
    ['a block that is nested too deep', { ...block, data: nested(48) }],
    ['a tool call without an id', { ...call, id: '' }],
    ['a tool call without the text of its input', { ...call, inputText: undefined, input: {} }],
    ['more than 10,000 citations', { ...text, citations: Array.from({ length: 10_001 }, () => citation) }],
    ['a citation before the text', { ...text, citations: [{ ...citation, start: -1 }] }],
    ['data of an unknown dialect', { ...text, native: { smalltalk: {} } }],
    ['data that is nested too deep', { ...text, native: { anthropic: nested(48) } }],
    ['an unknown type', { ...text, type: 'smell' }],
  ])('a part of an answer violates the contract as %s', (_case, part) => {
    expect(() => parsed(part)).toThrow(ContractViolation)
  })

  test.each([
    block,
    file,
    { ...block, data: nested(47) },
    { ...text, citations: [{ ...citation, native: { anthropic: { type: 'page' } } }], native: { google: { a: 1 } } },
    { type: 'refusal', text: 'No.' },
  ])('a part of an answer may be %j', (part) => {
    expect(parsed(part)).toEqual(part)
  })

  test('a part of an answer has the input that its text says, whatever the provider read', () => {
    expect(parsed({ ...call, inputText: '{"a": 1}', input: { b: 2 } })).toEqual({
      ...call,
      inputText: '{"a": 1}',
      input: { a: 1 },
    })
    const deep = JSON.stringify(nested(48))
    expect(parsed({ ...call, inputText: deep, input: {} })).toEqual({ ...call, inputText: deep })
  })

  test('a part of an answer is sent on without NUL, lone surrogates, and `__proto__`', () => {
    const data = JSON.parse('{"__proto__":{"a":1},"b\\u0000":["c\\ud800",null]}') as object
    expect(parsed({ ...block, kind: 'a\0', data })).toEqual({
      ...block,
      kind: 'a\uFFFD',
      data: { 'b\uFFFD': ['c\uFFFD', null] },
    })
  })
})

describe('an event of a stream', () => {
  test.each<[string, object]>([
    ['an index below 0', { type: 'part_start', index: -1, part: text }],
    ['an index above 10,000', { type: 'part_end', index: 10_001 }],
    ['an index that is no integer', { type: 'part_delta', index: 0.5, text: 'a' }],
    ['a piece that is no text', { type: 'part_delta', index: 0, text: 7 }],
    ['a piece of more than 8,000,000 characters', { type: 'part_delta', index: 0, text: 'a'.repeat(8_000_001) }],
    ['a citation that is no object', { type: 'part_delta', index: 0, citation: 'a' }],
    ['an unknown part', { type: 'part_start', index: 0, part: { type: 'smell' } }],
    ['counts below 0', { type: 'usage', usage: { promptTokens: -1, completionTokens: 1 } }],
    ['a start without a response', { type: 'start' }],
    ['an unknown finish reason', { type: 'finish', finishReason: 'function_call' }],
  ])('an event of a stream violates the contract with %s', (_case, event) => {
    expect(() => parseResponse(responseSchemas.textEvent, event)).toThrow(ContractViolation)
  })
})

describe('an answer', () => {
  test('an answer may have 10,000 parts and no more', () => {
    const answer = (length: number) => ({ ...finish, parts: Array.from({ length }, () => text) })
    expect(parseResponse(responseSchemas.text, answer(10_000)).parts).toHaveLength(10_000)
    expect(() => parseResponse(responseSchemas.text, answer(10_001))).toThrow(ContractViolation)
  })

  test('an answer keeps what the upstream says of its response and its counts', () => {
    const answer = {
      ...finish,
      parts: [],
      response: {
        id: 'r1',
        model: 'm-2026',
        serviceTier: 'default',
        fingerprint: 'f',
        native: { anthropic: { a: 1 } },
      },
      usage: { promptTokens: 1, completionTokens: 2, cachedPromptTokens: 0, native: { anthropic: { searches: 1 } } },
      logprobs: { content: [{ token: 'a' }] },
      warnings: [],
    }
    expect(parseResponse(responseSchemas.text, answer)).toEqual(answer)
  })
})
