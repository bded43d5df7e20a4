import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { finishReasons } from './messages/answer.ts'
import { parsePlainAnswer, responseSchemas } from './provider-responses.ts'

const part = { type: 'text', text: 'Hello' }
const usage = { promptTokens: 3, completionTokens: 1 }
const answer = { parts: [part], finishReason: 'stop', usage, response: { id: 'chatcmpl-1', model: 'small' } }

const text = fc.string({ unit: fc.constantFrom('a', '\0', '\uD800', '😀'), maxLength: 5 })
const count = fc.oneof({ weight: 40, arbitrary: fc.nat() }, fc.constantFrom(-1, 0.5, '1', null, undefined))
const other = fc.constantFrom(null, undefined, 1, '', [], {})
/** The value, or rarely another one. */
const mostly = <Value>(usual: fc.Arbitrary<Value>) => fc.oneof({ weight: 40, arbitrary: usual }, other)
const anyUsage = fc.record(
  { promptTokens: count, completionTokens: count, reasoningTokens: count, cachedPromptTokens: count },
  { requiredKeys: ['promptTokens', 'completionTokens'], noNullPrototype: true },
)
const type = fc.oneof({ weight: 40, arbitrary: fc.constant('text') }, fc.constant('refusal'))
const parts = fc.array(mostly(fc.record({ type, text }, { noNullPrototype: true })), { maxLength: 3 })
const answers = fc.record(
  {
    parts: mostly(parts),
    finishReason: mostly(fc.constantFrom(...finishReasons)),
    usage: mostly(anyUsage),
    response: mostly(
      fc.record({ id: text, model: text, requestId: text }, { requiredKeys: [], noNullPrototype: true }),
    ),
    warnings: mostly(fc.constant([])),
  },
  { requiredKeys: ['parts', 'finishReason'], noNullPrototype: true },
)

describe('parsePlainAnswer', () => {
  test.each<[string, object]>([
    ['a text', answer],
    ['nothing', { ...answer, parts: [] }],
    ['no token counts', { parts: [part], finishReason: 'length' }],
    ['all token counts', { ...answer, usage: { ...usage, reasoningTokens: 1, cachedPromptTokens: 2 } }],
    ['text that stores treat differently', { ...answer, parts: [{ ...part, text: 'a\0b\uD800' }] }],
    ['such an id', { ...answer, response: { id: 'a\0b\uD800' } }],
    ['an empty list of warnings', { ...answer, warnings: [] }],
  ])('parsePlainAnswer reads an answer with %s as its schema does', (_case, given) => {
    expect(parsePlainAnswer(given)).toEqual(responseSchemas.text.parse(given))
  })

  test('parsePlainAnswer reads each answer as its schema does, or leaves it to the schema', () => {
    let plain = 0
    const check = (given: object) => {
      const read = parsePlainAnswer(given)
      if (read) plain++
      expect(read).toEqual(read && responseSchemas.text.parse(given))
    }
    fc.assert(fc.property(answers, check), { numRuns: 1_000 })
    expect(plain).toBeGreaterThan(100)
  })

  test.each<[string, unknown]>([
    ['a tool call', { ...answer, parts: [{ type: 'tool_call', id: 'c1', name: 'find', inputText: '{}' }] }],
    ['a text with citations', { ...answer, parts: [{ ...part, citations: [{ url: 'https://a.example' }] }] }],
    ['a text without its text', { ...answer, parts: [{ type: 'text' }] }],
    ['warnings', { ...answer, warnings: [{ field: 'seed', issue: 'is not supported' }] }],
    ['an unknown finish reason', { ...answer, finishReason: 'bored' }],
    ['a price tier', { ...answer, usage: { ...usage, tiers: ['flex'] } }],
    ['half of the token counts', { ...answer, usage: { promptTokens: 3 } }],
    ['rate limits', { ...answer, response: { rateLimit: { 'x-ratelimit-remaining-tokens': '1' } } }],
    ['log probabilities', { ...answer, logprobs: {} }],
    ['a field of a class', Object.assign(Object.create({ warnings: [{}] }), answer)],
  ])('parsePlainAnswer leaves an answer with %s to the schema', (_case, given) => {
    expect(parsePlainAnswer(given)).toBeUndefined()
  })

  test('parsePlainAnswer returns a copy, which the provider cannot change', () => {
    const read = parsePlainAnswer(answer)
    expect(read?.parts[0]).not.toBe(answer.parts[0])
    expect(read?.usage).not.toBe(answer.usage)
    expect(read?.response).not.toBe(answer.response)
  })
})
