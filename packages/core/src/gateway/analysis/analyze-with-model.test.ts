import { describe, expect, test } from 'vitest'
import { operations } from '../../index.ts'
import { ProviderError, type Provider, type TextAnswer, type TextModel, type TextRequest } from '../../provider.ts'
import { reader, testClock, testCore, textModel } from '../../testing.ts'
import { fakeCache } from '../../testing/fake-cache.ts'

const text = 'Marie Curie received the prize in Stockholm. She was proud.'
const tasks = ['sentiment', 'entities', 'keywords']
const asked = { model: 'clever', text, tasks }

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

/** Answers in JSON, one answer after the other; the last is said again for ever. */
function clever(answers: readonly unknown[], model: Partial<TextModel> = {}, rest: Partial<TextAnswer> = {}): Clever {
  const requests: TextRequest[] = []
  return {
    contract: 1,
    id: 'upstream',
    requests,
    models: [textModel({ id: 'clever', structured: true, pricing: { input: 10, output: 100 }, ...model })],
    async generateText(request) {
      const answer = answers[Math.min(requests.push(request), answers.length) - 1]
      const content = typeof answer === 'string' ? answer : JSON.stringify(answer)
      return { content, finishReason: 'stop', usage: { promptTokens: 100, completionTokens: 20 }, ...rest }
    },
  }
}

async function analyze(provider: Provider, input: object = {}) {
  const { core, caller } = await testCore({ providers: [provider] })
  return core.run(operations.analyze, caller, { ...asked, ...input })
}

/** A model that takes its time for an answer in the wrong form, and answers again at once. */
async function slow(ms: number) {
  const deadlines: number[] = []
  const { generateText, ...rest } = clever(['no', found])
  const provider: Provider = {
    ...rest,
    generateText(request, call) {
      if (deadlines.push(call.deadline) === 1) clock.advance(ms)
      return generateText!(request, call)
    },
  }
  const { core, caller, clock } = await testCore({ providers: [provider] })
  return { ask: () => core.run(operations.analyze, caller, asked), startedAt: clock.now(), deadlines }
}

describe('analyze with a text model', () => {
  test('puts entities in the order of the text and keywords by falling score', async () => {
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

  test('asks at temperature 0 for JSON of just the tasks', async () => {
    const provider = clever([{ sentiment: found.sentiment }])
    const reply = await analyze(provider, { tasks: ['sentiment'] })
    expect(reply).toMatchObject({ success: true, data: { sentiment: found.sentiment } })
    expect(provider.requests).toMatchObject([
      {
        model: 'clever',
        temperature: 0,
        responseSchema: { type: 'object', required: ['language', 'sentiment'], additionalProperties: false },
      },
    ])
    expect(provider.requests[0]?.prompt).not.toContain('"keywords"')
  })

  test('leaves out what else the model says', async () => {
    const reply = await analyze(clever([found]), { tasks: ['keywords'] })
    expect(reply.success && Object.keys(reply.data as object)).toEqual(['keywords'])
  })

  test.each([
    ['in a code block', `\`\`\`json\n${JSON.stringify(found)}\n\`\`\``],
    ['amid words', `Here you are: ${JSON.stringify(found)} Anything else?`],
  ])('reads JSON that stands %s', async (_case, answer) => {
    expect(await analyze(clever([answer]))).toMatchObject({ success: true, meta: { attempts: 1 } })
  })

  test('shows the model its faults once, and sums what both answers cost', async () => {
    const provider = clever([{ ...found, sentiment: { score: 3, label: 'great' } }, found])
    const reply = await analyze(provider)
    expect(reply).toMatchObject({ success: true, meta: { attempts: 2, costUsd: 0.006 } })
    const [first, second] = provider.requests
    expect(second?.prompt).toContain('- sentiment.score: ')
    expect(second?.prompt).toContain('- sentiment.label: ')
    expect(second?.prompt).toContain('"label":"great"')
    expect(first?.prompt).not.toContain("can't be used")
  })

  test('writes down the tokens and the cost of both answers, even where the call fails', async () => {
    const { core, caller } = await testCore({ providers: [clever(['no'])] })
    await core.run(operations.analyze, caller, asked)
    const usage = await core.run(operations.usageTimeseries, caller, { groupBy: 'model' })
    expect(usage).toMatchObject({
      data: { groups: [{ group: 'clever', errors: 1, promptTokens: 200, completionTokens: 40, costUsd: 0.006 }] },
    })
  })

  test.each([
    ['no JSON', 'I would rather not.', 'not one whole JSON object'],
    ['half of it', '{"sentiment": {"score"', 'not one whole JSON object'],
    ['a list', '[1]', 'not one whole JSON object'],
    ['no sentiment', { ...found, sentiment: undefined }, 'sentiment: '],
    ['a label that belies the score', { ...found, sentiment: { score: -1, label: 'positive' } }, 'sentiment.label: '],
    ['an unknown type', { ...found, entities: [{ ...found.entities[0], type: 'CITY' }] }, 'entities.0.type: '],
    ['a score above 1', { ...found, keywords: [{ text: 'prize', score: 7 }] }, 'keywords.0.score: '],
    ['an empty keyword', { ...found, keywords: [{ text: ' ', score: 1 }] }, 'keywords.0.text: '],
    ['more than 200,000 letters', `{"a":"${'a'.repeat(200_000)}"}`, 'too long'],
  ])('gives up with PROVIDER_ERROR, free of charge, where it twice answers with %s', async (_case, answer, fault) => {
    const provider = clever([answer])
    const reply = await analyze(provider)
    expect(reply).toMatchObject({
      error: { code: 'PROVIDER_ERROR', details: { provider: 'upstream', attempts: 2 } },
      limits: { remaining: 1000 },
    })
    expect(!reply.success && reply.error.message).toBe('The model did not return a valid analysis.')
    expect(provider.requests).toHaveLength(2)
    expect(provider.requests[1]?.prompt).toContain(fault)
  })

  test('never quotes the answer in an error', async () => {
    const reply = await analyze(clever([{ ...found, sentiment: { score: 'sesame', label: 'sesame' }, sesame: 1 }]))
    expect(JSON.stringify(reply)).not.toContain('sesame')
  })

  test('tells a model that was cut off to say less', async () => {
    const provider = clever(['{"sentiment":'], {}, { finishReason: 'length' })
    await analyze(provider)
    expect(provider.requests[1]?.prompt).toContain('the answer was cut off: name fewer')
  })

  test('has the time of one call for both rounds', async () => {
    const { ask, startedAt, deadlines } = await slow(50_000)
    expect(await ask()).toMatchObject({ success: true, meta: { attempts: 2 } })
    expect(deadlines.map((deadline) => deadline - startedAt)).toEqual([120_000, 120_000])
  })

  test('asks no second time where the time would not do', async () => {
    const { ask, deadlines } = await slow(70_000)
    expect(await ask()).toMatchObject({ error: { code: 'PROVIDER_ERROR', details: { attempts: 1 } } })
    expect(deadlines).toHaveLength(1)
  })

  test('counts an answer that a filter stopped as refused content, and asks no more', async () => {
    const provider = clever([''], {}, { finishReason: 'content_filter' })
    expect(await analyze(provider)).toMatchObject({ error: { code: 'CONTENT_REFUSED' } })
    expect(provider.requests).toHaveLength(1)
  })

  test('leaves out entities that are not in the text, and says so', async () => {
    const entities = [...found.entities, { text: 'Oslo', type: 'LOCATION', confidence: 1 }]
    const reply = await analyze(clever([{ ...found, entities }]))
    expect(reply).toMatchObject({
      data: { entities: [{ text: 'Marie Curie' }, { text: 'Stockholm' }] },
      meta: { warnings: [{ field: null, issue: 'the model named one entity that is not in the text: left out' }] },
    })
  })

  test('reads a hundred entities, and says how many more there were', async () => {
    const entities = Array.from({ length: 103 }, () => found.entities[0])
    const reply = await analyze(clever([{ entities }]), { tasks: ['entities'] })
    const issue = 'the model named too many entities: 3 are left out'
    expect(reply).toMatchObject({ data: { entities: { length: 1 } }, meta: { warnings: [{ field: null, issue }] } })
  })

  test.each([
    ['it', [{ field: 'language', issue: 'the text looks like Italian, not English' }]],
    ['en', undefined],
    ['xx', undefined],
    [7, undefined],
  ])('warns of a text that the model takes for %j', async (language, warnings) => {
    const italian = 'Che bella giornata a Roma! Il sole splende e la gente passeggia felice per le strade.'
    const { meta } = await analyze(clever([{ ...found, entities: [], language }]), { text: italian })
    expect(meta.warnings).toEqual(warnings)
  })

  test.each(['no', 'nn'])('takes the codes of Norwegian for one (%s)', async (language) => {
    const norwegian = 'Det regner i dag, og hagen er blitt grønn igjen etter den lange, tørre sommeren vi har hatt.'
    const { meta } = await analyze(clever([{ ...found, entities: [], language: 'nb' }]), { text: norwegian, language })
    expect(meta.warnings).toBeUndefined()
  })

  test('warns of no language where the text is too short to tell', async () => {
    const { meta } = await analyze(clever([{ ...found, entities: [], language: 'it' }]), { text: 'Ciao!' })
    expect(meta.warnings).toBeUndefined()
  })

  test('keeps each keyword once, and twenty at most', async () => {
    const many = Array.from({ length: 30 }, (_, index) => ({ text: `word ${index}`, score: index / 30 }))
    const keywords = [...many, { text: 'WORD 29', score: 0.1 }]
    const reply = await analyze(clever([{ keywords }]), { tasks: ['keywords'] })
    const expected = Array.from({ length: 20 }, (_, index) => ({ text: `word ${29 - index}` }))
    expect(reply).toMatchObject({ data: { keywords: expected } })
  })

  test('makes text that every store keeps of what escapes smuggle in', async () => {
    const answer = '{"keywords":[{"text":"a\\u0000b\\ud800","score":1}]}'
    const reply = await analyze(clever([answer]), { tasks: ['keywords'] })
    expect(reply).toMatchObject({ data: { keywords: [{ text: 'a\uFFFDb\uFFFD' }] } })
  })

  test('shows nothing of warnings about settings that the caller never made', async () => {
    const warnings = [
      { field: 'temperature', issue: 'is not taken' },
      { field: null, issue: 'the model is busy' },
    ]
    const reply = await analyze(clever([found], {}, { warnings }))
    expect(reply).toMatchObject({ meta: { warnings: [{ field: null, issue: 'the model is busy' }] } })
  })

  test('says once that a price is not known', async () => {
    const { pricing: _, ...unpriced } = textModel({ id: 'clever', structured: true })
    const provider: Provider = { ...clever(['no', found]), models: [unpriced] }
    const issue = 'the price of "clever" is not known: its cost counts as 0'
    expect(await analyze(provider)).toMatchObject({ meta: { costUsd: 0, warnings: [{ field: null, issue }] } })
  })

  test('says nothing of the price to who is given the answer again', async () => {
    const { pricing: _, ...unpriced } = textModel({ id: 'clever', structured: true })
    const provider: Provider = { ...clever([found]), models: [unpriced] }
    const routes = { smart: { targets: ['upstream/clever'], cache: { ttlMs: 60_000 } } }
    const { core, caller } = await testCore({ providers: [provider], routes, cache: fakeCache(testClock()) })
    const ask = () => core.run(operations.analyze, caller, { ...asked, model: 'smart' })
    expect((await ask()).meta.warnings).toHaveLength(1)
    await new Promise((resolve) => void setImmediate(resolve))
    const { meta } = await ask()
    expect(meta).toMatchObject({ cached: true, costUsd: 0 })
    expect(meta.warnings).toBeUndefined()
  })

  test.each([
    ['prompt', 'text'],
    ['maxTokens', null],
  ])('tells of a refused %s in the words of an analysis', async (field, told) => {
    const provider: Provider = {
      ...clever([]),
      generateText: () => Promise.reject(new ProviderError('invalid_request', 'no', { field, detail: 'Too long.' })),
    }
    expect(await analyze(provider)).toMatchObject({
      error: { code: 'INVALID_REQUEST', details: { field: told, issue: 'was rejected by the provider: Too long.' } },
    })
  })

  test('leaves more room for a prompt in another script', async () => {
    const model = { maxTokens: 100_000, contextSize: 10_000 }
    const [latin, chinese] = [clever([found], model), clever([found], model)]
    await analyze(latin, { text: 'a'.repeat(3_000) })
    await analyze(chinese, { text: '字'.repeat(3_000) })
    expect((latin.requests[0]?.maxTokens ?? 0) - (chinese.requests[0]?.maxTokens ?? 0)).toBe(2_000)
  })

  test('asks for no more tokens than model, prompt and window leave room for', async () => {
    const large = clever([found], { maxTokens: 100_000 })
    const narrow = clever([found], { maxTokens: 100_000, contextSize: 2_000 })
    const small = clever([found], { maxTokens: 900 })
    for (const provider of [large, narrow, small]) await analyze(provider)
    expect(large.requests[0]?.maxTokens).toBe(16_384)
    expect(narrow.requests[0]?.maxTokens).toBeLessThan(2_000)
    expect(narrow.requests[0]?.maxTokens).toBeGreaterThan(255)
    expect(small.requests[0]?.maxTokens).toBe(900)
  })

  test('fails as its provider fails', async () => {
    const provider: Provider = {
      ...clever([]),
      generateText: () => Promise.reject(new ProviderError('content_refused', 'no', { detail: 'Not this.' })),
    }
    expect(await analyze(provider)).toMatchObject({ error: { code: 'CONTENT_REFUSED', message: 'Not this.' } })
  })

  test('tells the model the language by its name', async () => {
    const provider = clever([found])
    expect(await analyze(provider, { language: 'sw' })).toMatchObject({ success: true })
    expect(provider.requests[0]?.prompt).toContain('Swahili')
  })
})

describe('analyze with no model named', () => {
  const eyes = reader('native', { sentiment: { score: 0, label: 'neutral' } })

  test('asks the configured model where no analyzer reads the language', async () => {
    const provider = clever([{ sentiment: found.sentiment }])
    const { core, caller } = await testCore({ providers: [eyes, provider], analysisModel: 'clever' })
    const ask = (language: string) => core.run(operations.analyze, caller, { text, tasks: ['sentiment'], language })
    expect(await ask('fi')).toMatchObject({ data: { sentiment: { score: 0.8 } }, meta: { provider: 'upstream' } })
    expect(await ask('en')).toMatchObject({ data: { sentiment: { score: 0 } }, meta: { provider: 'native' } })
  })

  test.each([
    ['is named', { model: 'upstream/clever' }],
    ['is configured', {}],
  ])('asks to come back where the model that %s is away', async (_case, input) => {
    const away: Provider = { ...clever([]), models: () => Promise.reject(new Error('away')) }
    const { core, caller } = await testCore({ providers: [eyes, away], analysisModel: 'upstream/clever' })
    const reply = await core.run(operations.analyze, caller, { text, tasks: ['sentiment'], language: 'fi', ...input })
    expect(reply).toMatchObject({ error: { code: 'PROVIDER_UNAVAILABLE' } })
  })

  test('refuses the language where no model is configured', async () => {
    const { core, caller } = await testCore({ providers: [eyes, clever([])] })
    const reply = await core.run(operations.analyze, caller, { text, tasks: ['sentiment'], language: 'fi' })
    expect(reply).toMatchObject({ error: { code: 'INVALID_REQUEST', details: { field: 'language' } } })
  })

  test.each([
    ['nothing', 'none', 'there is no such model to analyze with'],
    ['a model that can not', 'plain', 'the model does not answer in JSON, so it can not analyze'],
  ])('warns the operator at the start of a configuration that names %s', async (_case, analysisModel, message) => {
    const plain: Provider = { ...clever([]), id: 'other', models: [textModel({ id: 'plain' })] }
    const { core, caller, logged } = await testCore({ providers: [eyes, plain], analysisModel })
    await core.start()
    expect(logged).toMatchObject([{ level: 'warn', facts: { analysisModel }, message }])
    const reply = await core.run(operations.analyze, caller, { text, tasks: ['sentiment'], language: 'fi' })
    expect(reply).toMatchObject({ error: { code: 'INVALID_REQUEST', details: { field: 'language' } } })
  })
})
