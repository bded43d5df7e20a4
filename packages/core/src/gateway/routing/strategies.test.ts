import { describe, expect, test } from 'vitest'
import type { RouteOptions } from '../../index.ts'
import { operations } from '../../operations.ts'
import type { Provider } from '../provider.ts'
import { failing, scripted, sequenced, textModel } from '../../testing/fake-providers.ts'
import { type TestClock, testClock } from '../../testing/test-clock.ts'
import { testCore } from '../../testing/test-core.ts'
import type { Pricing } from '../model.ts'
import { ProviderError } from '../provider-error.ts'

/** Takes its time, on a clock that nobody else moves. */
function slow(id: string, ms: number, clock: () => TestClock): Provider {
  const provider = scripted(id, id)
  return {
    ...provider,
    async generateText(request, call) {
      clock().advance(ms)
      return provider.generateText!(request, call)
    },
  }
}

function priced(id: string, pricing: Pricing | undefined): Provider {
  const { pricing: _free, ...model } = textModel()
  return { ...scripted(id, id), models: [{ ...model, ...(pricing && { pricing }) }] }
}

/** A model `smart` over all of the providers, and who answers it. */
async function setup(providers: readonly Provider[], route: Omit<RouteOptions, 'targets'>, weights: number[] = []) {
  const targets = providers.map(({ id }, index) => {
    const weight = weights[index]
    return { model: `${id}/any`, ...(weight !== undefined && { weight }) }
  })
  const world = await testCore({ providers, routes: { smart: { ...route, targets } } })
  const answerer = async (caller = world.caller, facts = {}) => {
    const reply = await world.core.run(operations.generate, caller, { model: 'smart', prompt: 'x', ...facts })
    return reply.success && 'data' in reply ? reply.meta.provider : 'nobody'
  }
  return { ...world, answerer }
}

describe('a route by weights', () => {
  const pair = [scripted('old', 'old'), scripted('canary', 'canary')]

  test('keeps an account at its target', async () => {
    const { answerer } = await setup(pair, { strategy: 'weighted' }, [1, 1])
    const first = await answerer()
    for (let round = 0; round < 5; round++) expect(await answerer()).toBe(first)
  })

  test('shares accounts out by weight', async () => {
    const { answerer, addCaller } = await setup(pair, { strategy: 'weighted' }, [9, 1])
    let canary = 0
    for (let index = 0; index < 300; index++) {
      const { credentials } = await addCaller({ user: { id: `usr_${index}` } })
      if ((await answerer(credentials)) === 'canary') canary++
    }
    expect(canary).toBeGreaterThan(15)
    expect(canary).toBeLessThan(45)
  })

  test('moves only those accounts that a change of weights asks for', async () => {
    const before = await setup(pair, { strategy: 'weighted' }, [9, 1])
    const after = await setup(pair, { strategy: 'weighted' }, [7, 3])
    const moved: string[] = []
    for (let index = 0; index < 50; index++) {
      const facts = { user: { id: `usr_${index}` } }
      const was = await before.answerer((await before.addCaller(facts)).credentials)
      const is = await after.answerer((await after.addCaller(facts)).credentials)
      if (was !== is) moved.push(`${was} to ${is}`)
    }
    expect(new Set(moved)).toEqual(new Set(['old to canary']))
  })

  test('asks a target without weight only where others fail', async () => {
    const { answerer } = await setup([scripted('spare', 'x'), scripted('main', 'x')], { strategy: 'weighted' }, [0, 1])
    expect(await answerer()).toBe('main')
    const broken = await setup([scripted('spare', 'x'), failing('main', 'give_up')], { strategy: 'weighted' }, [0, 1])
    expect(await broken.answerer()).toBe('spare')
  })

  test('draws for each call of the embedding program anew', async () => {
    const draws = [0.9, 0.1, 0.1, 0.9]
    const { core } = await testCore({
      providers: pair,
      routes: { smart: { targets: ['old/any', 'canary/any'], strategy: 'weighted' } },
      random: () => draws.shift() ?? 0.5,
    })
    const ask = async () => (await core.generate({ model: 'smart', prompt: 'x' })).content
    expect([await ask(), await ask()]).toEqual(['old', 'canary'])
  })
})

describe('a route by speed', () => {
  async function race(...paces: readonly [string, number][]) {
    let clock = testClock()
    const world = await setup(
      paces.map(([id, ms]) => slow(id, ms, () => clock)),
      { strategy: 'fastest' },
    )
    clock = world.clock
    return world
  }

  test('tries each target once, then keeps to the fastest', async () => {
    const { answerer } = await race(['slow', 900], ['quick', 100], ['slower', 2_000])
    const answers = []
    for (let call = 0; call < 6; call++) answers.push(await answerer())
    expect(answers).toEqual(['slow', 'quick', 'slower', 'quick', 'quick', 'quick'])
  })

  test('comes back to a slow target after a while', async () => {
    const { answerer, clock } = await race(['slow', 900], ['quick', 100])
    for (let call = 0; call < 3; call++) await answerer()
    const answers = new Set<string | undefined>()
    for (let minute = 0; minute < 5; minute++) {
      clock.advance(60_000)
      answers.add(await answerer())
      answers.add(await answerer())
    }
    expect(answers).toContain('slow')
  })

  test('does not take failing at once for being fast', async () => {
    const broken = sequenced('broken', new ProviderError('give_up', 'no'))
    const { answerer } = await setup([broken, scripted('well', 'x')], { strategy: 'fastest' })
    for (let call = 0; call < 10; call++) expect(await answerer()).toBe('well')
    expect(broken.asked).toBe(1)
  })
})

describe('a route by cost', () => {
  test('reckons with the tokens that the request may take', async () => {
    const reader = priced('reads-cheaply', { input: 1, output: 100 })
    const writer = priced('writes-cheaply', { input: 10, output: 10 })
    const { answerer, caller } = await setup([reader, writer], { strategy: 'cheapest' })
    expect(await answerer(caller, { prompt: 'long '.repeat(2_000), maxTokens: 1 })).toBe('reads-cheaply')
    expect(await answerer(caller, { prompt: 'short', maxTokens: 200 })).toBe('writes-cheaply')
  })

  test('asks those of unknown price last, and others of one price in their order', async () => {
    const unknown = priced('unknown', undefined)
    const same = { input: 5, output: 5 }
    const { answerer } = await setup([unknown, priced('one', same), priced('two', same)], { strategy: 'cheapest' })
    expect(await answerer()).toBe('one')
  })
})
