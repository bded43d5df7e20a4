import { fakeTextModel, scripted, testCore } from '@fairlead/testing'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import type { Operation } from '../../runtime/operation.ts'
import type { StreamEvent } from '../../runtime/run/envelope.ts'
import { action, defineFeature } from '../own-features.ts'

const facts = {
  access: { scope: 'generate' },
  metered: true,
  input: z.strictObject({ word: z.string() }),
  output: z.object({ text: z.string() }),
} as const

/** Asks for one text, in short. */
const echo = action({
  ...facts,
  name: 'echo',
  summary: 'Repeats a word.',
  generate: ({ word }) => ({ model: 'any', prompt: `Repeat ${word}.` }),
  map: ({ content }, { word }) => ({ text: `${word}: ${content}` }),
  stream: {
    chunk: z.object({ piece: z.string() }),
    map: ({ content }, { word }) => (content.includes('skip') ? undefined : { piece: `${word}${content}` }),
    whole: ({ text }) => [{ piece: text }],
  },
})

/** Asks for two texts, whose plans are part of a plan of its own. */
const twice = action({
  ...facts,
  name: 'twice',
  summary: 'Asks twice.',
  prepare: ({ text }, call, { word }) => ({
    first: text.prepare(call, { model: 'any', prompt: `First ${word}.` }),
    second: text.prepare(call, { model: 'any', prompt: `Second ${word}.` }),
  }),
  async run({ text }, call, { input, plan }) {
    const { content } = await text.generate(call, plan.first)
    return { text: `${input.word} ${content} ${(await text.generate(call, plan.second)).content}` }
  },
})

/** Reserves what it says. */
const dear = action({
  ...facts,
  name: 'dear',
  summary: 'Costs more than its text.',
  prepare: ({ text }, call, { word }) => text.prepare(call, { model: 'any', prompt: word }),
  run: async ({ text }, call, { plan }) => ({ text: (await text.generate(call, plan)).content }),
  estimate: ({ text }, _call, { plan, input }) => ({
    ...text.estimate(plan),
    costUsd: input.word.length,
  }),
})

/** An answer costs at most $0.10, because a prompt gets at most 100 tokens, and a word costs $0.001. */
const model = fakeTextModel({ pricing: { input: 0, output: 1_000 }, maxTokens: 100 })

async function setup(answer: string, budgetUsd = 0.25) {
  const provider = { ...scripted('calm', answer), models: [model] }
  const features = [defineFeature({ name: 'own', operations: { echo, twice, dear } })] as const
  const world = await testCore({ providers: [provider], features })
  const { credentials } = await world.addCaller({ user: { budgetUsd, budgetPeriod: 'month' } })
  const ask = (operation: Operation, word = 'hi', stream = false) =>
    world.core.run(operation, credentials, stream ? { word, stream } : { word })
  return { ask }
}

describe('an action with generate and map', () => {
  test('an action with generate and map makes its result of the answer and of its input', async () => {
    const { ask } = await setup('rain')
    expect(await ask(echo)).toMatchObject({ data: { text: 'hi: rain' }, meta: { provider: 'calm', costUsd: 0.001 } })
  })

  test('an action with generate and map streams what it makes of each chunk, and then the same result', async () => {
    const { ask } = await setup('rain skip snow')
    const reply = await ask(echo, 'hi', true)
    const events: StreamEvent<unknown, unknown>[] = []
    if ('events' in reply) for await (const event of reply.events) events.push(event)
    expect(events.map((event) => (event.type === 'chunk' ? event.chunk : event.type))).toEqual([
      { piece: 'hirain' },
      { piece: 'hi snow' },
      'done',
    ])
    expect(events.at(-1)).toMatchObject({ reply: { data: { text: 'hi: rain skip snow' } } })
  })
})

describe('an action under a budget', () => {
  test.each([
    ['one text', echo, 'hi', '$0.10'],
    ['each text of a plan of its own', twice, 'hi', '$0.20'],
    ['what its estimate says', dear, 'three', '$5.00'],
  ])('an action under a budget reserves %s', async (_what, operation, word, amount) => {
    const { ask } = await setup('rain', 0.01)
    expect(await ask(operation, word)).toMatchObject({
      error: { code: 'BUDGET_EXCEEDED', message: expect.stringContaining(`this one needs up to ${amount}.`) },
    })
  })

  test('an action under a budget never spends more than that, however many run at once', async () => {
    const { ask } = await setup(Array.from({ length: 90 }, () => 'word').join(' '))
    const replies = await Promise.all(Array.from({ length: 20 }, () => ask(echo)))
    expect(replies.filter(({ success }) => success)).toHaveLength(2)
  })
})
