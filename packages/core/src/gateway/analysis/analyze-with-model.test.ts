import { describe, expect, test } from 'vitest'
import { operations } from '../../index.ts'
import {
  lastPrompt,
  ProviderError,
  textAnswer,
  type Provider,
  type TextAnswer,
  type TextModel,
  type TextRequest,
} from '../../provider.ts'
import { reader, testClock, testCore, fakeTextModel } from '@fairlead/testing'
import { operations as allOperations } from '@fairlead/testing/workspace'
import { fakeCache } from '../../testing/fake-cache.ts'

const text = 'Marie Curie received the prize in Stockholm. She was proud.'
const tasks = ['sentiment', 'entities', 'keywords']
const sent = { model: 'clever', text, tasks }

const found = {
  sentiment: { score: 0.8, label: 'positive' },
  entities: [
    { text: 'Stockholm', type: 'LOCATION', confidence: 0.9 },
    { text: 'Marie Curie', type: 'PERSON', confidence: 1 },
  ],
  keywords: [
    { text: 'prize', score: 0.4 },
    { text: 'Marie Curie', score: 0.9 },
  ],
}

interface Clever extends Provider {
  readonly requests: readonly TextRequest[]
}

/** Returns the answers one after the other, and then repeats the last one. */
function clever(answers: readonly unknown[], model: Partial<TextModel> = {}, rest: Partial<TextAnswer> = {}): Clever {
  const requests: TextRequest[] = []
  return {
    contract: 2,
    id: 'upstream',
    requests,
    models: [fakeTextModel({ id: 'clever', structured: true, pricing: { input: 10, output: 100 }, ...model })],
    async generateText(request) {
      const answer = answers[Math.min(requests.push(request), answers.length) - 1]
      const content = typeof answer === 'string' ? answer : JSON.stringify(answer)
      return textAnswer(content, { usage: { promptTokens: 100, completionTokens: 20 }, ...rest })
    },
  }
}

async function analyze(provider: Provider, changes: object = {}) {
  const { core, caller } = await testCore({ providers: [provider] })
  return core.run(operations.analyze, caller, { ...sent, ...changes })
}

/** A model whose first response takes a given time and is invalid; the second is immediate and valid. */
async function slow(ms: number) {
  const deadlines: (number | undefined)[] = []
  const { generateText, ...rest } = clever(['no', found])
  const provider: Provider = {
    ...rest,
    generateText(request, call) {
      if (deadlines.push(call.deadline) === 1) clock.advance(ms)
      return generateText!(request, call)
    },
  }
  const { core, caller, clock } = await testCore({ providers: [provider] })
  return { ask: () => core.run(operations.analyze, caller, sent), startedAt: clock.now(), deadlines }
}

describe('analyze with a text model', () => {
  test('analyze with a text model returns entities in order of appearance and keywords by descending score', async () => {
    const reply = await analyze(clever([found]))
    expect(reply).toMatchObject({
      data: {
        sentiment: { score: 0.8, label: 'positive' },
        entities: [{ text: 'Marie Curie' }, { text: 'Stockholm' }],
        keywords: [{ text: 'Marie Curie' }, { text: 'prize' }],
      },
      meta: { provider: 'upstream', attempts: 1, costUsd: 0.003 },
    })
  })

  test('analyze with a text model requests JSON for exactly the tasks, at temperature 0', async () => {
    const provider = clever([{ sentiment: found.sentiment }])
    const reply = await analyze(provider, { tasks: ['sentiment'] })
    expect(reply).toMatchObject({ success: true, data: { sentiment: found.sentiment } })
    expect(provider.requests).toMatchObject([
      {
        model: 'clever',
        temperature: 0,
        responseFormat: {
          schema: { type: 'object', required: ['language', 'sentiment'], additionalProperties: false },
        },
      },
    ])
    expect(lastPrompt(provider.requests[0]!)).not.toContain('"keywords"')
  })

  test('analyze with a text model drops results that were not requested', async () => {
    const reply = await analyze(clever([found]), { tasks: ['keywords'] })
    expect(reply.success && Object.keys(reply.data as object)).toEqual(['keywords'])
  })

  test.each([
    ['in a code block', `\`\`\`json\n${JSON.stringify(found)}\n\`\`\``],
    ['between sentences', `Here you are: ${JSON.stringify(found)} Anything else?`],
  ])('analyze with a text model parses JSON %s', async (_case, answer) => {
    expect(await analyze(clever([answer]))).toMatchObject({ success: true, meta: { attempts: 1 } })
  })

  test('analyze with a text model repeats an invalid response to the model with its issues, and charges for both responses', async () => {
    const provider = clever([{ ...found, sentiment: { score: 3, label: 'great' } }, found])
    const reply = await analyze(provider)
    expect(reply).toMatchObject({ success: true, meta: { attempts: 2, costUsd: 0.006 } })
    const [first, second] = provider.requests
    expect(lastPrompt(second!)).toContain('- sentiment.score: ')
    expect(lastPrompt(second!)).toContain('- sentiment.label: ')
    expect(lastPrompt(second!)).toContain('"label":"great"')
    expect(lastPrompt(first!)).not.toContain('It is not valid')
  })

  test('analyze with a text model records the tokens and the cost of both responses even if the call fails', async () => {
    const { core, caller } = await testCore({ providers: [clever(['no'])] })
    await core.run(operations.analyze, caller, sent)
    const usage = await core.run(allOperations.usageTimeseries, caller, { groupBy: 'model' })
    expect(usage).toMatchObject({
      data: { groups: [{ group: 'clever', errors: 1, promptTokens: 200, completionTokens: 40, costUsd: 0.006 }] },
    })
  })

  test.each([
    ['no JSON', 'I would rather not.', 'not a complete JSON object'],
    ['truncated JSON', '{"sentiment": {"score"', 'not a complete JSON object'],
    ['an array', '[1]', 'not a complete JSON object'],
    ['no sentiment', { ...found, sentiment: undefined }, 'sentiment: '],
    [
      'a label that contradicts the score',
      { ...found, sentiment: { score: -1, label: 'positive' } },
      'sentiment.label: ',
    ],
    ['an unknown type', { ...found, entities: [{ ...found.entities[0], type: 'CITY' }] }, 'entities.0.type: '],
    ['a score above 1', { ...found, keywords: [{ text: 'prize', score: 7 }] }, 'keywords.0.score: '],
    ['an empty keyword', { ...found, keywords: [{ text: ' ', score: 1 }] }, 'keywords.0.text: '],
    ['more than 200,000 characters', `{"a":"${'a'.repeat(200_000)}"}`, 'too long'],
  ])(
    'analyze with a text model fails with PROVIDER_ERROR and is charged after two responses with %s',
    async (_case, answer, issue) => {
      const provider = clever([answer])
      const reply = await analyze(provider)
      expect(reply).toMatchObject({
        error: { code: 'PROVIDER_ERROR', details: { provider: 'upstream', attempts: 2 } },
        limits: { remaining: 999 },
      })
      expect(!reply.success && reply.error.message).toBe('The model did not return a valid analysis.')
      expect(provider.requests).toHaveLength(2)
      expect(lastPrompt(provider.requests[1]!)).toContain(issue)
    },
  )

  test('analyze with a text model is charged if the second call fails after an invalid response', async () => {
    const { generateText, ...rest } = clever(['no'])
    const provider: Provider = {
      ...rest,
      async generateText(request, call) {
        if (rest.requests.length > 0) throw new ProviderError('rate_limited', 'busy', { retryAfterMs: 60_000 })
        return generateText!(request, call)
      },
    }
    expect(await analyze(provider)).toMatchObject({
      error: { code: 'RATE_LIMIT_EXCEEDED', details: { attempts: 2 } },
      limits: { remaining: 999 },
    })
  })

  test('analyze with a text model never quotes the response in an error', async () => {
    const reply = await analyze(clever([{ ...found, sentiment: { score: 'sesame', label: 'sesame' }, sesame: 1 }]))
    expect(JSON.stringify(reply)).not.toContain('sesame')
  })

  test('analyze with a text model asks for fewer results after a truncated response', async () => {
    const provider = clever(['{"sentiment":'], {}, { finishReason: 'length' })
    await analyze(provider)
    expect(lastPrompt(provider.requests[1]!)).toContain('the response was truncated: list fewer')
  })

  test('analyze with a text model shares the time of one call between both attempts', async () => {
    const { ask, startedAt, deadlines } = await slow(250_000)
    expect(await ask()).toMatchObject({ success: true, meta: { attempts: 2 } })
    expect(deadlines).toEqual([startedAt + 600_000, startedAt + 600_000])
  })

  test('analyze with a text model does not call the model again if more than half of the time has passed', async () => {
    const { ask, deadlines } = await slow(350_000)
    expect(await ask()).toMatchObject({ error: { code: 'PROVIDER_ERROR', details: { attempts: 1 } } })
    expect(deadlines).toHaveLength(1)
  })

  test('analyze with a text model fails with CONTENT_REFUSED, without a second attempt, after a response that a content filter stopped', async () => {
    const provider = clever([''], {}, { finishReason: 'content_filter' })
    expect(await analyze(provider)).toMatchObject({ error: { code: 'CONTENT_REFUSED' } })
    expect(provider.requests).toHaveLength(1)
  })

  test('analyze with a text model drops entities that are not in the text, with a warning', async () => {
    const entities = [...found.entities, { text: 'Oslo', type: 'LOCATION', confidence: 1 }]
    const reply = await analyze(clever([{ ...found, entities }]))
    expect(reply).toMatchObject({
      data: { entities: [{ text: 'Marie Curie' }, { text: 'Stockholm' }] },
      meta: { warnings: [{ field: null, issue: 'dropped 1 entity that is not in the text' }] },
    })
  })

  test('analyze with a text model drops entities beyond the first hundred, with a warning', async () => {
    const entities = Array.from({ length: 103 }, () => found.entities[0])
    const reply = await analyze(clever([{ entities }]), { tasks: ['entities'] })
    const issue = 'dropped 3 entities above the limit of 100'
    expect(reply).toMatchObject({ data: { entities: { length: 1 } }, meta: { warnings: [{ field: null, issue }] } })
  })

  test.each([
    ['it', [{ field: 'language', issue: 'the text looks like Italian, not English' }]],
    ['en', undefined],
    ['xx', undefined],
    [7, undefined],
  ])(
    'analyze with a text model compares the requested language with the detected language %j',
    async (language, warnings) => {
      const italian = 'Che bella giornata a Roma! Il sole splende e la gente passeggia felice per le strade.'
      const { meta } = await analyze(clever([{ ...found, entities: [], language }]), { text: italian })
      expect(meta.warnings).toEqual(warnings)
    },
  )

  test.each(['no', 'nn'])('analyze with a text model accepts Bokmål as %s', async (language) => {
    const norwegian = 'Det regner i dag, og hagen er blitt grønn igjen etter den lange, tørre sommeren vi har hatt.'
    const { meta } = await analyze(clever([{ ...found, entities: [], language: 'nb' }]), { text: norwegian, language })
    expect(meta.warnings).toBeUndefined()
  })

  test('analyze with a text model does not warn about the language of a short text', async () => {
    const { meta } = await analyze(clever([{ ...found, entities: [], language: 'it' }]), { text: 'Ciao!' })
    expect(meta.warnings).toBeUndefined()
  })

  test('analyze with a text model returns at most twenty distinct keywords', async () => {
    const many = Array.from({ length: 30 }, (_, index) => ({ text: `word ${index}`, score: index / 30 }))
    const keywords = [...many, { text: 'WORD 29', score: 0.1 }]
    const reply = await analyze(clever([{ keywords }]), { tasks: ['keywords'] })
    const expected = Array.from({ length: 20 }, (_, index) => ({ text: `word ${29 - index}` }))
    expect(reply).toMatchObject({ data: { keywords: expected } })
  })

  test('analyze with a text model replaces NUL and lone surrogates from JSON escapes', async () => {
    const answer = '{"keywords":[{"text":"a\\u0000b\\ud800","score":1}]}'
    const reply = await analyze(clever([answer]), { tasks: ['keywords'] })
    expect(reply).toMatchObject({ data: { keywords: [{ text: 'a\uFFFDb\uFFFD' }] } })
  })

  test('analyze with a text model hides warnings about parameters that the client did not set', async () => {
    const warnings = [
      { field: 'temperature', issue: 'is not taken' },
      { field: null, issue: 'the model is busy' },
    ]
    const reply = await analyze(clever([found], {}, { warnings }))
    expect(reply).toMatchObject({ meta: { warnings: [{ field: null, issue: 'the model is busy' }] } })
  })

  test('analyze with a text model warns once that the price is unknown', async () => {
    const { pricing: _, ...unpriced } = fakeTextModel({ id: 'clever', structured: true })
    const provider: Provider = { ...clever(['no', found]), models: [unpriced] }
    const issue = 'the price of "clever" is unknown: its cost counts as 0'
    expect(await analyze(provider)).toMatchObject({ meta: { costUsd: 0, warnings: [{ field: null, issue }] } })
  })

  test('analyze with a text model does not warn about the price of a cached response', async () => {
    const { pricing: _, ...unpriced } = fakeTextModel({ id: 'clever', structured: true })
    const provider: Provider = { ...clever([found]), models: [unpriced] }
    const routes = { smart: { targets: ['upstream/clever'], cache: { ttlMs: 60_000 } } }
    const { core, caller } = await testCore({ providers: [provider], routes, cache: fakeCache(testClock()) })
    const ask = () => core.run(operations.analyze, caller, { ...sent, model: 'smart' })
    expect((await ask()).meta.warnings).toHaveLength(1)
    await new Promise((resolve) => void setImmediate(resolve))
    const { meta } = await ask()
    expect(meta).toMatchObject({ cached: true, costUsd: 0 })
    expect(meta.warnings).toBeUndefined()
  })

  test.each([
    ['messages', 'text'],
    ['messages[0].content', 'text'],
    ['maxTokens', null],
  ])('analyze with a text model renames the invalid field %s to the field of an analysis', async (field, renamed) => {
    const provider: Provider = {
      ...clever([]),
      generateText: () => Promise.reject(new ProviderError('invalid_request', 'no', { field, detail: 'Too long.' })),
    }
    expect(await analyze(provider)).toMatchObject({
      error: { code: 'INVALID_REQUEST', details: { field: renamed, issue: 'was rejected by the provider: Too long.' } },
    })
  })

  test('analyze with a text model counts more tokens for a text in another script', async () => {
    const model = { maxTokens: 100_000, contextSize: 10_000 }
    const [latin, chinese] = [clever([found], model), clever([found], model)]
    await analyze(latin, { text: 'a'.repeat(3_000) })
    await analyze(chinese, { text: '字'.repeat(3_000) })
    expect((latin.requests[0]?.maxTokens ?? 0) - (chinese.requests[0]?.maxTokens ?? 0)).toBe(2_000)
  })

  test('analyze with a text model limits the tokens to the maximum of the model and the rest of its context', async () => {
    const large = clever([found], { maxTokens: 100_000 })
    const narrow = clever([found], { maxTokens: 100_000, contextSize: 2_000 })
    const small = clever([found], { maxTokens: 900 })
    for (const provider of [large, narrow, small]) await analyze(provider)
    expect(large.requests[0]?.maxTokens).toBe(16_384)
    expect(narrow.requests[0]?.maxTokens).toBeLessThan(2_000)
    expect(narrow.requests[0]?.maxTokens).toBeGreaterThan(255)
    expect(small.requests[0]?.maxTokens).toBe(900)
  })

  test('analyze with a text model fails with the error of the provider', async () => {
    const provider: Provider = {
      ...clever([]),
      generateText: () => Promise.reject(new ProviderError('content_refused', 'no', { detail: 'Not this.' })),
    }
    expect(await analyze(provider)).toMatchObject({ error: { code: 'CONTENT_REFUSED', message: 'Not this.' } })
  })

  test('analyze with a text model names the language in the prompt', async () => {
    const provider = clever([found])
    expect(await analyze(provider, { language: 'sw' })).toMatchObject({ success: true })
    expect(lastPrompt(provider.requests[0]!)).toContain('Swahili')
  })
})

describe('analyze without a model', () => {
  const eyes = reader('native', { sentiment: { score: 0, label: 'neutral' } })

  test('analyze without a model calls the configured model if no analyzer supports the language', async () => {
    const provider = clever([{ sentiment: found.sentiment }])
    const { core, caller } = await testCore({ providers: [eyes, provider], analysisModel: 'clever' })
    const ask = (language: string) => core.run(operations.analyze, caller, { text, tasks: ['sentiment'], language })
    expect(await ask('fi')).toMatchObject({ data: { sentiment: { score: 0.8 } }, meta: { provider: 'upstream' } })
    expect(await ask('en')).toMatchObject({ data: { sentiment: { score: 0 } }, meta: { provider: 'native' } })
  })

  test.each([
    ['the client requests', { model: 'upstream/clever' }],
    ['is configured', {}],
  ])(
    'analyze without a model fails with PROVIDER_UNAVAILABLE if the provider of the model that %s is unavailable',
    async (_case, input) => {
      const unavailable: Provider = { ...clever([]), models: () => Promise.reject(new Error('unavailable')) }
      const { core, caller } = await testCore({ providers: [eyes, unavailable], analysisModel: 'upstream/clever' })
      const reply = await core.run(operations.analyze, caller, { text, tasks: ['sentiment'], language: 'fi', ...input })
      expect(reply).toMatchObject({ error: { code: 'PROVIDER_UNAVAILABLE' } })
    },
  )

  test('analyze without a model rejects the language if no model is configured', async () => {
    const { core, caller } = await testCore({ providers: [eyes, clever([])] })
    const reply = await core.run(operations.analyze, caller, { text, tasks: ['sentiment'], language: 'fi' })
    expect(reply).toMatchObject({ error: { code: 'INVALID_REQUEST', details: { field: 'language' } } })
  })

  test.each([
    ['an unknown model', 'none', 'the analysis model is unknown'],
    ['a model without structured output', 'plain', 'the analysis model does not support structured output'],
  ])(
    'analyze without a model logs a warning at startup if the configuration names %s',
    async (_case, analysisModel, message) => {
      const plain: Provider = { ...clever([]), id: 'other', models: [fakeTextModel({ id: 'plain' })] }
      const { core, caller, logged } = await testCore({ providers: [eyes, plain], analysisModel })
      await core.start()
      expect(logged).toMatchObject([{ level: 'warn', facts: { analysisModel }, message }])
      const reply = await core.run(operations.analyze, caller, { text, tasks: ['sentiment'], language: 'fi' })
      expect(reply).toMatchObject({ error: { code: 'INVALID_REQUEST', details: { field: 'language' } } })
    },
  )
})
