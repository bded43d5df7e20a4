import { describe, expect, test } from 'vitest'
import { begun, scripted, fakeTextModel, testCore } from '@fairlead/testing'
import { generateText } from './generate-text.ts'
import type { TextModel } from '../model.ts'
import { ProviderError } from '../provider-error.ts'
import type { TextAnswer } from '../messages/answer.ts'
import type { Provider, TextRequest } from '../provider.ts'
import { lastPrompt, textAnswer, textEvents } from '../messages/text-answer.ts'

async function generating(...models: readonly Partial<TextModel>[]) {
  const prompts: string[] = []
  const providers = models.map((facts, index) => ({
    ...scripted(`p${index}`, 'hello'),
    models: [fakeTextModel(facts)],
    async generateText(request: TextRequest) {
      prompts.push(lastPrompt(request))
      return textAnswer('hello')
    },
  }))
  const routes = { widest: { targets: models.map(({ id = 'any' }, index) => `p${index}/${id}`) } }
  const { core, caller } = await testCore({ providers, ...(models.length > 1 && { routes }) })
  const generate = (prompt: string, model = 'any') => core.run(generateText, caller, { model, prompt })
  return { prompts, generate }
}

function rejection(issue: string) {
  return { success: false, error: { code: 'INVALID_REQUEST', details: { field: 'prompt', issue } } }
}

test('a route skips targets that declare a smaller maximum than the prompt', async () => {
  const { generate } = await generating({ maxPromptCharacters: 500 }, { id: 'other' })
  expect(await generate('x'.repeat(500), 'widest')).toMatchObject({ meta: { provider: 'p0' } })
  expect(await generate('x'.repeat(501), 'widest')).toMatchObject({ meta: { provider: 'p1', attempts: 1 } })
})

describe('more than four stop sequences', () => {
  const stop = ['a', 'b', 'c', 'd', 'e']

  test('more than four stop sequences reach the targets of a route whose models take them', async () => {
    const few = scripted('few', 'of the first')
    const many = { ...scripted('many', 'of the second'), models: [fakeTextModel({ id: 'any', maxStopSequences: 5 })] }
    const { core, caller } = await testCore({
      providers: [few, many],
      routes: { both: { targets: ['few/any', 'many/any'] } },
    })
    const ask = (model: string) => core.run(generateText, caller, { model, prompt: 'Hi', stop })
    expect(await ask('both')).toMatchObject({ data: { content: 'of the second' } })
    expect(await ask('few/any')).toMatchObject({
      error: { details: { field: 'stop', issue: 'must have at most 4 entries' } },
    })
  })
})

describe('the stop sequence of a text', () => {
  const ask = async (stream: boolean, answer: Partial<TextAnswer>) => {
    const { core, caller } = await testCore({ providers: [scripted('p', 'one', answer)] })
    const reply = await core.run(generateText, caller, { model: 'any', prompt: 'Count.', stop: ['END', 'two'], stream })
    if (!('events' in reply)) return reply
    for await (const event of reply.events) if (event.type === 'done') return event.reply
    throw new Error('the stream had no result')
  }

  describe.each([false, true])('with stream %s', (stream) => {
    test('the stop sequence of a text is the one that the provider names', async () => {
      expect(await ask(stream, { stopSequence: 'two' })).toMatchObject({
        data: { finishReason: 'stop', stopSequence: 'two' },
      })
    })

    test.each<[string, Partial<TextAnswer>]>([
      ['the provider names none', {}],
      ['the provider names one that was not requested', { stopSequence: '<|end|>' }],
      ['the text reached its maximum', { stopSequence: 'two', finishReason: 'length' }],
    ])('the stop sequence of a text is absent if %s', async (_case, answer) => {
      expect(await ask(stream, answer)).not.toHaveProperty('data.stopSequence')
    })
  })
})

describe('the warnings of a stream', () => {
  const seed = { field: 'seed', issue: 'is not supported' }
  const late = { field: null, issue: 'the text is a frame' }
  /** Reports a warning before its stream, and another one at its end. */
  const warning = (id: string, field: string): Provider => ({
    ...scripted(id, 'one'),
    async *streamText(_request, call) {
      call.warn?.([{ ...seed, field }])
      yield* textEvents(['one'], { warnings: [{ ...seed, field }, late] })
    },
  })
  const begin = async (options: Parameters<typeof testCore>[0], fields = {}) => {
    const { core, caller } = await testCore(options)
    const reply = await core.run(generateText, caller, { model: 'any', prompt: 'Count.', stream: true, ...fields })
    if (!('events' in reply)) throw new Error('the reply is no stream')
    return reply
  }

  test('the warnings of a stream are in its metadata from the start if they are known before the first chunk', async () => {
    const { meta, events } = await begin({ providers: [warning('a', 'seed')] }, { maxTokens: 9_000, adapt: true })
    const lowered = { field: 'maxTokens', issue: expect.stringMatching(/^was lowered/) }
    expect(meta.warnings).toEqual([lowered, seed])
    const results: unknown[] = []
    for await (const event of events) if (event.type === 'done') results.push(event.reply.meta.warnings)
    expect(results).toMatchObject([[lowered, seed, late, { field: null }]])
  })

  test('the warnings of a stream are those of the provider that answers', async () => {
    const broken: Provider = {
      ...warning('a', 'topP'),
      async *streamText(_request, call) {
        call.warn?.([{ field: 'topP', issue: 'is not supported' }])
        yield* []
        throw new ProviderError('give_up', 'no')
      },
    }
    const routes = { both: { targets: ['a/any', 'b/any'] } }
    const { meta } = await begin({ providers: [broken, warning('b', 'seed')], routes }, { model: 'both' })
    expect(meta).toMatchObject({ provider: 'b', warnings: [seed] })
  })

  test('the warnings of a stream are all in its metadata if the provider answers as a whole', async () => {
    const { streamText: _stream, ...whole } = scripted('a', 'one', { warnings: [late] })
    expect((await begin({ providers: [whole] })).meta.warnings).toEqual([late])
  })

  test('the warnings of a stream fail the call if they violate the contract', async () => {
    const invalid: Provider = {
      ...scripted('a', 'one'),
      async *streamText(_request, call) {
        call.warn?.([{ field: 7 }] as never)
        yield* begun('one')
      },
    }
    const { core, caller } = await testCore({ providers: [invalid] })
    const reply = await core.run(generateText, caller, { model: 'any', prompt: 'Count.', stream: true })
    expect(reply).toMatchObject({ success: false, error: { code: 'PROVIDER_ERROR' } })
  })
})

describe('the length of a prompt', () => {
  test('the length of a prompt may exceed 100,000 characters if the model has room for them', async () => {
    const { generate, prompts } = await generating({ contextSize: 1_000_000 })
    const prompt = 'word '.repeat(800_000)
    expect(await generate(prompt)).toMatchObject({ success: true })
    expect(prompts).toEqual([prompt])
  })

  test('the length of a prompt is limited to 16 characters for each token of the model’s context', async () => {
    const { generate, prompts } = await generating({ contextSize: 1_000 })
    expect(await generate('x'.repeat(16_000))).toMatchObject({ success: true })
    expect(await generate('x'.repeat(16_001))).toMatchObject(
      rejection('must have at most 16,000 characters to fit the context of 1,000 tokens of "any"'),
    )
    expect(prompts).toHaveLength(1)
  })

  test('the length of a prompt is counted in code points', async () => {
    const { generate } = await generating({ contextSize: 1_000 })
    expect(await generate('𝒳'.repeat(16_000))).toMatchObject({ success: true })
    expect(await generate('𝒳'.repeat(16_001))).toMatchObject({ success: false })
  })

  test('the length of a prompt is limited to the maximum that the model declares', async () => {
    const { generate } = await generating({ contextSize: 1_000, maxPromptCharacters: 500 })
    expect(await generate('x'.repeat(500))).toMatchObject({ success: true })
    expect(await generate('x'.repeat(501))).toMatchObject(rejection('must have at most 500 characters for "any"'))
  })

  test('the length of a prompt is limited to 10,000,000 characters if the context size is unknown', async () => {
    const { generate } = await generating({})
    expect(await generate('x'.repeat(10_000_000))).toMatchObject({ success: true })
    expect(await generate('x'.repeat(10_000_001))).toMatchObject(rejection('must have at most 10,000,000 characters'))
  })

  test('the length of a prompt is limited on a route by the target with the largest context', async () => {
    const { generate } = await generating({ contextSize: 1_000 }, { contextSize: 2_000 })
    expect(await generate('x'.repeat(32_000), 'widest')).toMatchObject({ success: true })
    expect(await generate('x'.repeat(32_001), 'widest')).toMatchObject(
      rejection('must have at most 32,000 characters to fit the context of 2,000 tokens of "widest"'),
    )
  })
})
