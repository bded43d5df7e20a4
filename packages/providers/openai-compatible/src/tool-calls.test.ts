import { collectAnswer } from '@fairlead/core/provider'
import { describe, expect, test } from 'vitest'
import { completion, replyingWith, streamEvents } from './testing/ask-replying.ts'

const call = (about: object, json: unknown = '{"city":"Oslo"}', name: string | undefined = 'weather') => ({
  type: 'function',
  ...about,
  function: { ...(name !== undefined && { name }), arguments: json },
})
const called = (id: unknown, city = 'Oslo') => ({
  type: 'tool_call',
  id,
  name: 'weather',
  inputText: JSON.stringify({ city }),
  input: { city },
})
const anId = expect.stringMatching(/^call_[0-9a-f]{32}$/)

async function partsFor(tool_calls: readonly object[], finish_reason = 'tool_calls') {
  const { write } = await replyingWith(completion({ content: null, tool_calls }, { finish_reason }))
  return write()
}

describe('the tool calls of a reply', () => {
  test('the tool calls of a reply get an id if the server sends none', async () => {
    const { parts } = await partsFor([call({}), call({ id: '' })])
    expect(parts).toEqual([called(anId), called(anId)])
    expect(new Set(parts?.map((part) => part.type === 'tool_call' && part.id)).size).toBe(2)
  })

  test.each<[string, unknown]>([
    ['the text of an object', '{"city":"Oslo"}'],
    ['an object', { city: 'Oslo' }],
  ])('the tool calls of a reply take %s as arguments', async (_case, json) => {
    expect((await partsFor([call({ id: 'a' }, json)])).parts).toEqual([called('a')])
  })

  test('the tool calls of a reply have an empty input if the arguments are empty', async () => {
    expect((await partsFor([call({ id: 'a' }, '')])).parts).toEqual([{ ...called('a'), inputText: '{}', input: {} }])
  })

  test('the tool calls of a reply end an answer with tool_calls, even if the server gives stop as the reason', async () => {
    expect(await partsFor([call({ id: 'a' })], 'stop')).toMatchObject({ finishReason: 'tool_calls' })
  })

  test.each(['{"ci', '[1]', '{"city": 12345678901234567890}'])(
    'the tool calls of a reply keep the text of %s',
    async (text) => {
      expect(await partsFor([call({ id: 'a' }, text)])).toMatchObject({ parts: [{ inputText: text }] })
    },
  )

  test('the tool calls of a reply without a name fail the call', async () => {
    await expect(partsFor([call({ id: 'a' }, '{}', '')])).rejects.toMatchObject({
      name: 'ProviderError',
      failure: 'retry',
    })
  })

  test('the tool calls of a reply keep the signature of Google’s server for the next request', async () => {
    const extra_content = { google: { thought_signature: 'EqQB' } }
    expect((await partsFor([call({ id: 'a', extra_content })])).parts).toEqual([
      { ...called('a'), providerOptions: { acme: { extra_content } } },
    ])
  })
})

describe('the tool calls of a stream', () => {
  const chunk = (tool_calls: readonly object[], finish_reason: string | null = null) => ({
    data: { choices: [{ index: 0, delta: { tool_calls }, finish_reason }] },
  })
  const end = (reason = 'tool_calls') => ({ data: { choices: [{ index: 0, delta: {}, finish_reason: reason }] } })
  const piece = (index: number, json: string) => ({ index, function: { arguments: json } })
  const done = { data: '[DONE]' }

  async function inputsFor(chunks: readonly (readonly object[])[]) {
    const { stream } = await replyingWith({ events: [...chunks.map((each) => chunk(each)), end(), done] })
    const { parts } = await collectAnswer(streamEvents(await stream()))
    return parts.map((part) => part.type === 'tool_call' && [part.id, part.inputText])
  }

  test('the tool calls of a stream are put together by their index', async () => {
    const chunks = [
      [call({ index: 0, id: 'a' }, ''), call({ index: 1, id: 'b' }, '')],
      [piece(1, '{"x"'), piece(0, '{"y"')],
      [piece(0, ':1}'), piece(1, ':2}')],
    ]
    expect(await inputsFor(chunks)).toEqual([
      ['a', '{"y":1}'],
      ['b', '{"x":2}'],
    ])
  })

  test('the tool calls of a stream are put together if each piece repeats the id and the name', async () => {
    const chunks = [[call({ index: 0, id: 'a' }, '{"x"')], [call({ index: 0, id: 'a' }, ':1}')]]
    expect(await inputsFor(chunks)).toEqual([['a', '{"x":1}']])
  })

  test.each<[string, object, object]>([
    ['the same index and other ids', { index: 0, id: 'a' }, { index: 0, id: 'b' }],
    ['ids and no index', { id: 'a' }, { id: 'b' }],
  ])('the tool calls of a stream are apart if they have %s', async (_case, first, second) => {
    expect(await inputsFor([[call(first, '{"x":1}')], [call(second, '{"x":2}')]])).toEqual([
      ['a', '{"x":1}'],
      ['b', '{"x":2}'],
    ])
  })

  // From an issue of vLLM's users: each piece has a new id, and the name may be repeated.
  test.each<[string, string | undefined]>([
    ['no name', undefined],
    ['the name again', 'weather'],
  ])('one call whose pieces have other ids and %s is one call', async (_case, name) => {
    const named = (id: string, json: string) => ({ ...piece(0, json), id, function: { arguments: json, name } })
    const chunks = [[call({ index: 0, id: 'a' }, '')], [named('b', '{"x"')], [named('c', ':1}')], [named('d', '')]]
    expect(await inputsFor(chunks)).toEqual([['a', '{"x":1}']])
  })

  test('pieces without an index and with other ids continue the last call', async () => {
    const chunks = [[call({ id: 'a' }, '{"x"')], [{ id: 'b', function: { arguments: ':1}' } }]]
    expect(await inputsFor(chunks)).toEqual([['a', '{"x":1}']])
  })

  test('two calls of one index with other names are apart', async () => {
    const chunks = [[call({ index: 0, id: 'a' }, '')], [call({ index: 0, id: 'b' }, '{"x":2}', 'time')]]
    expect(await inputsFor(chunks)).toEqual([
      ['a', '{}'],
      ['b', '{"x":2}'],
    ])
  })

  test('the tool calls of a stream are apart if they come whole, without index and id', async () => {
    expect(await inputsFor([[call({}, '{"x":1}'), call({}, '{"x":2}')]])).toEqual([
      [anId, '{"x":1}'],
      [anId, '{"x":2}'],
    ])
  })

  test('the tool calls of a stream continue the last call without index and id', async () => {
    const rest = { function: { arguments: ':1}' } }
    expect(await inputsFor([[call({ id: 'a' }, '{"x"')], [rest]])).toEqual([['a', '{"x":1}']])
  })

  test('the tool calls of a stream wait for their name', async () => {
    const chunks = [[piece(0, '{"x"')], [{ index: 0, id: 'late', function: { name: 'weather', arguments: ':1}' } }]]
    expect(await inputsFor(chunks)).toEqual([[anId, '{"x":1}']])
  })

  test('the tool calls of a stream fail the call if the stream ends inside their arguments', async () => {
    const { stream } = await replyingWith({ events: [chunk([call({ index: 0, id: 'a' }, '{"ci')])] })
    await expect(stream()).rejects.toMatchObject({
      failure: 'retry',
      message: expect.stringContaining('finish reason'),
    })
  })

  test('the tool calls of a stream are passed on as far as they came if maxTokens cut them', async () => {
    const { stream } = await replyingWith({
      events: [chunk([call({ index: 0, id: 'a' }, '{"ci')]), chunk([{ index: 1, id: 'b' }]), end('length'), done],
    })
    expect(await stream()).toEqual([
      { type: 'part_start', index: 0, part: { type: 'tool_call', id: 'a', name: 'weather', inputText: '' } },
      { type: 'part_delta', index: 0, text: '{"ci' },
      { type: 'part_end', index: 0 },
      { type: 'finish', finishReason: 'length' },
    ])
  })

  test('the tool calls of a stream fail the call if one has no name', async () => {
    const { stream } = await replyingWith({ events: [chunk([{ index: 0, id: 'a' }]), end(), done] })
    await expect(stream()).rejects.toMatchObject({ failure: 'retry', message: expect.stringContaining('no name') })
  })
})
