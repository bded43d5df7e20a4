import { describe, expect, test } from 'vitest'
import { operations } from '@fairlead/testing/workspace'
import { fakeTextModel, testCore } from '@fairlead/testing'
import type { TextAnswer } from './answer.ts'
import { answerEvents } from './collect-answer.ts'
import type { AnswerPart } from './message.ts'
import type { Provider, TextRequest } from '../provider.ts'
import { textAnswer } from './text-answer.ts'

const hello = { role: 'user' as const, content: 'Hello' }
const usage = { promptTokens: 1, completionTokens: 1 }
const block: AnswerPart = {
  type: 'opaque',
  provider: 'first',
  dialect: 'anthropic',
  kind: 'server_tool_use',
  data: { type: 'server_tool_use', id: 's1' },
}
const found: AnswerPart = { type: 'text', text: 'Found.' }

/** Records its requests, and answers with the parts, whole or streamed. */
function answering(id: string, facts: Partial<TextAnswer> = {}) {
  const requests: TextRequest[] = []
  const answer = (request: TextRequest): TextAnswer => {
    requests.push(request)
    return { ...textAnswer('fine', { usage }), ...facts }
  }
  const provider: Provider = {
    contract: 2,
    id,
    models: [fakeTextModel({ chat: true, streaming: true })],
    generateText: async (request) => answer(request),
    async *streamText(request) {
      yield* answerEvents(answer(request))
    },
  }
  return { provider, requests }
}

/** Two providers, of which the first answers with a block that only its API has. */
async function setup(parts: readonly AnswerPart[] = [block, found]) {
  const [first, second] = [answering('first', { parts }), answering('second')]
  const { fairlead, core, caller } = await testCore({
    providers: [first.provider, second.provider],
    routes: { both: { targets: ['first/any', 'second/any'] } },
  })
  const { message } = await fairlead.generate({ model: 'first/any', messages: [hello] })
  const messages = [hello, message, hello]
  return { fairlead, core, caller, messages, sent: { first: first.requests, second: second.requests } }
}

describe('a block of the upstream in an answer', () => {
  test('a block of the upstream in an answer goes back to its own provider unchanged, without a warning', async () => {
    const { core, caller, messages, sent } = await setup()
    const reply = await core.run(operations.generate, caller, { model: 'first/any', messages })
    expect(sent.first[1]?.messages[1]).toEqual({ role: 'assistant', content: [block, found] })
    expect(reply).not.toHaveProperty('meta.warnings')
  })

  test.each([false, true])(
    'a block of the upstream in an answer is left out for another provider, with a warning, and with stream %s',
    async (stream) => {
      const { core, caller, messages, sent } = await setup()
      const reply = await core.run(operations.generate, caller, { model: 'second/any', messages, stream })
      const replies: unknown[] = [reply]
      if ('events' in reply) for await (const event of reply.events) replies.push('reply' in event && event.reply)
      expect(sent.second[0]?.messages[1]).toEqual({ role: 'assistant', content: [found] })
      const issue = 'blocks of another provider were left out'
      expect(replies.at(-1)).toMatchObject({
        data: { content: 'fine' },
        meta: { warnings: [{ field: 'messages', issue }] },
      })
    },
  )

  test('a message that held nothing else is left out for another provider', async () => {
    const { fairlead, messages, sent } = await setup([block])
    await fairlead.generate({ model: 'second/any', messages })
    expect(sent.second[0]?.messages.map(({ role }) => role)).toEqual(['user', 'user'])
  })

  test('a block of the upstream in an answer is in the message of a prompt and of a stream, but in no chunk', async () => {
    const { fairlead } = await setup()
    const { content, message } = await fairlead.generate({ model: 'first/any', prompt: 'Hello' })
    expect({ content, message }).toEqual({ content: 'Found.', message: { role: 'assistant', content: [block, found] } })
    const chunks: unknown[] = []
    const stream = fairlead.generate.stream({ model: 'first/any', prompt: 'Hello' })
    for await (const chunk of stream) chunks.push(chunk)
    expect(chunks).toEqual([{ content: 'Found.' }])
    expect((await stream.result()).data.message).toEqual(message)
  })
})

describe('the citations of a text', () => {
  const citation = { url: 'https://a.example', title: 'A', document: 0, quote: 'rain', start: 0, end: 5 }
  const cited = { type: 'text' as const, text: 'Rain.', citations: [citation] }

  test('the citations of a text are in the message of the answer, without the form of the upstream, and go back', async () => {
    const native = { anthropic: { type: 'char_location' } }
    const { fairlead, messages, sent } = await setup([{ ...cited, citations: [{ ...citation, native }], native }])
    expect(messages[1]).toEqual({ role: 'assistant', content: [cited] })
    await fairlead.generate({ model: 'second/any', messages })
    expect(sent.second[0]?.messages[1]).toEqual(messages[1])
  })

  test('the citations of a text are in the answer of a prompt', async () => {
    const { fairlead } = await setup([cited])
    expect(await fairlead.generate({ model: 'first/any', prompt: 'Hello' })).toMatchObject({
      message: { content: [cited] },
    })
  })
})

describe('a file that the model generated', () => {
  const file = { type: 'file' as const, mediaType: 'image/png', data: 'iVBORw0KGgoAAAANSUhEUg==' }

  test('a file that the model generated is in the message of the answer, and left out of the next request with a warning', async () => {
    const { core, caller, messages, sent } = await setup([found, file])
    expect(messages[1]).toEqual({ role: 'assistant', content: [found, file] })
    const reply = await core.run(operations.generate, caller, { model: 'first/any', messages })
    expect(sent.first[1]?.messages[1]).toEqual({ role: 'assistant', content: [found] })
    const issue = 'files of earlier answers were left out'
    expect(reply).toMatchObject({ meta: { warnings: [{ field: 'messages', issue }] } })
  })

  test('a file that the model generated leaves an empty message where it was all of it', async () => {
    const { fairlead, messages, sent } = await setup([file])
    await fairlead.generate({ model: 'first/any', messages })
    expect(sent.first[1]?.messages[1]).toEqual({ role: 'assistant', content: [{ type: 'text', text: '' }] })
  })
})

describe('a refusal', () => {
  test('a refusal is a field of the answer, and a text in the next request', async () => {
    const { provider, requests } = answering('prim', {
      parts: [{ type: 'refusal', text: 'No.' }],
      finishReason: 'refusal',
    })
    const { fairlead } = await testCore({ providers: [provider] })
    const { message, ...answer } = await fairlead.generate({ model: 'any', messages: [hello] })
    expect(answer).toMatchObject({ content: '', refusal: 'No.', finishReason: 'content_filter' })
    await fairlead.generate({ model: 'any', messages: [hello, message, hello] })
    expect(requests[1]?.messages[1]?.content).toEqual([{ type: 'text', text: 'No.' }])
  })
})

describe('an answer that the upstream paused', () => {
  test('an answer that the upstream paused says so, and goes on when its message is sent back', async () => {
    const { provider, requests } = answering('slow', { parts: [found], finishReason: 'pause' })
    const { fairlead } = await testCore({ providers: [provider] })
    const { message, finishReason } = await fairlead.generate({ model: 'any', messages: [hello] })
    expect(finishReason).toBe('pause')
    await fairlead.generate({ model: 'any', messages: [hello, message] })
    expect(requests[1]?.messages.at(-1)).toEqual({ role: 'assistant', content: [found] })
  })
})
