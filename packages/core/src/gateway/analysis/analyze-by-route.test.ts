import { describe, expect, test } from 'vitest'
import { operations } from '../../index.ts'
import { ProviderError, textAnswer, type Provider, type TextModel } from '../../provider.ts'
import { testCore, fakeTextModel } from '@fairlead/testing'

const sentiment = { score: 0.8, label: 'positive' }
const text = 'What a day!'

/** Returns the answers one after the other, and then repeats the last one. Throws errors. */
function speaker(id: string, answers: readonly (object | string)[], model: Partial<TextModel> = {}): Provider {
  let calls = 0
  return {
    contract: 2,
    id,
    models: [fakeTextModel({ id: 'clever', structured: true, pricing: { input: 10, output: 10 }, ...model })],
    async generateText() {
      const answer = answers[Math.min(calls++, answers.length - 1)]
      if (answer instanceof Error) throw answer
      const content = typeof answer === 'string' ? answer : JSON.stringify(answer)
      return textAnswer(content, { usage: { promptTokens: 100, completionTokens: 0 } })
    },
  }
}

async function analyze(providers: readonly Provider[], model = 'smart', routing: object = {}) {
  const routes = { smart: { targets: providers.map(({ id }) => `${id}/clever`) } }
  const { core, caller } = await testCore({ providers, routes, ...routing })
  return core.run(operations.analyze, caller, { model, text, tasks: ['sentiment'] })
}

const down = new ProviderError('give_up', 'is down')

describe('analyze with a route of text models', () => {
  test('analyze with a route of text models falls back to the next target after a failure', async () => {
    const reply = await analyze([speaker('first', [down]), speaker('second', [{ sentiment }])])
    expect(reply).toMatchObject({ data: { sentiment }, meta: { provider: 'second', attempts: 2, costUsd: 0.001 } })
  })

  test('analyze with a route of text models adds up the attempts and the cost of both responses', async () => {
    const first = speaker('first', ['hm', down])
    const second = speaker('second', [{ sentiment }], { pricing: { input: 20, output: 10 } })
    expect(await analyze([first, second])).toMatchObject({
      data: { sentiment },
      meta: { provider: 'second', attempts: 3, costUsd: 0.003 },
    })
  })

  test('analyze with a route of text models counts the attempts of both calls if the second fails', async () => {
    expect(await analyze([speaker('only', ['hm', down])])).toMatchObject({
      error: { code: 'PROVIDER_ERROR', details: { provider: 'only', attempts: 2 } },
    })
  })

  test('analyze with a route of text models does not open a circuit breaker after invalid responses', async () => {
    const babbler = speaker('babbler', ['no'])
    const { core, caller } = await testCore({ providers: [babbler], circuit: { failures: 1 } })
    await core.run(operations.analyze, caller, { model: 'clever', text, tasks: ['sentiment'] })
    const reply = await core.run(operations.generate, caller, { model: 'clever', prompt: 'x' })
    expect(reply).toMatchObject({ data: { content: 'no' } })
  })

  test('analyze with a route of text models is rejected if a target does not support structured output', async () => {
    const plain = speaker('plain', ['x'], { structured: false })
    expect(await analyze([speaker('first', [{ sentiment }]), plain])).toMatchObject({
      error: { code: 'INVALID_REQUEST', details: { field: 'model' } },
    })
  })

  test('analyze with a route of text models accepts a deprecated model id with a warning', async () => {
    const reply = await analyze([speaker('first', [{ sentiment }])], 'old', { aliases: { old: 'smart' } })
    expect(reply).toMatchObject({ data: { sentiment }, meta: { warnings: [{ field: 'model' }] } })
  })

  test('analyze with a route of text models accepts a route as the configured analysis model', async () => {
    const routes = { smart: { targets: ['first/clever'] } }
    const options = { providers: [speaker('first', [{ sentiment }])], routes, analysisModel: 'smart' }
    const { core, caller } = await testCore(options)
    expect(await core.run(operations.analyze, caller, { text, tasks: ['sentiment'], language: 'de' })).toMatchObject({
      data: { sentiment },
      meta: { provider: 'first' },
    })
  })
})
