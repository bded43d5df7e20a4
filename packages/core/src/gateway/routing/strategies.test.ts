import { describe, expect, test } from 'vitest'
import type { RouteOptions } from '../../index.ts'
import { operations } from '@fairlead/testing/workspace'
import type { Provider } from '../provider.ts'
import { failing, scripted, sequenced, fakeTextModel, type TestClock, testClock, testCore } from '@fairlead/testing'
import type { Pricing } from '../model.ts'
import { ProviderError } from '../provider-error.ts'

/** Advances the clock by its latency with each call. */
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
  const { pricing: _free, ...model } = fakeTextModel()
  return { ...scripted(id, id), models: [{ ...model, ...(pricing && { pricing }) }] }
}

/** A route `smart` over all of the providers. `responder` makes a call and returns the provider that responded. */
async function setup(providers: readonly Provider[], route: Omit<RouteOptions, 'targets'>, weights: number[] = []) {
  const targets = providers.map(({ id }, index) => {
    const weight = weights[index]
    return { model: `${id}/any`, ...(weight !== undefined && { weight }) }
  })
  const world = await testCore({ providers, routes: { smart: { ...route, targets } } })
  const responder = async (caller = world.caller, facts = {}) => {
    const reply = await world.core.run(operations.generate, caller, { model: 'smart', prompt: 'x', ...facts })
    return reply.success && 'data' in reply ? reply.meta.provider : 'none'
  }
  return { ...world, responder }
}

describe('strategy weighted', () => {
  const pair = [scripted('old', 'old'), scripted('canary', 'canary')]

  test('the strategy weighted keeps an account on its target', async () => {
    const { responder } = await setup(pair, { strategy: 'weighted' }, [1, 1])
    const first = await responder()
    for (let round = 0; round < 5; round++) expect(await responder()).toBe(first)
  })

  test('the strategy weighted distributes accounts in proportion to the weights', async () => {
    const { responder, addCaller } = await setup(pair, { strategy: 'weighted' }, [9, 1])
    let canary = 0
    for (let index = 0; index < 300; index++) {
      const { credentials } = await addCaller({ user: { id: `usr_${index}` } })
      if ((await responder(credentials)) === 'canary') canary++
    }
    expect(canary).toBeGreaterThan(15)
    expect(canary).toBeLessThan(45)
  })

  test('the strategy weighted moves accounts only to the target whose weight increases', async () => {
    const before = await setup(pair, { strategy: 'weighted' }, [9, 1])
    const after = await setup(pair, { strategy: 'weighted' }, [7, 3])
    const moved: string[] = []
    for (let index = 0; index < 50; index++) {
      const facts = { user: { id: `usr_${index}` } }
      const was = await before.responder((await before.addCaller(facts)).credentials)
      const is = await after.responder((await after.addCaller(facts)).credentials)
      if (was !== is) moved.push(`${was} to ${is}`)
    }
    expect(new Set(moved)).toEqual(new Set(['old to canary']))
  })

  test('the strategy weighted calls a target of weight 0 only if others fail', async () => {
    const { responder } = await setup([scripted('spare', 'x'), scripted('main', 'x')], { strategy: 'weighted' }, [0, 1])
    expect(await responder()).toBe('main')
    const broken = await setup([scripted('spare', 'x'), failing('main', 'give_up')], { strategy: 'weighted' }, [0, 1])
    expect(await broken.responder()).toBe('spare')
  })

  test('the strategy weighted draws anew for each call of the embedding program', async () => {
    const draws = [0.9, 0.1, 0.1, 0.9]
    const { fairlead } = await testCore({
      providers: pair,
      routes: { smart: { targets: ['old/any', 'canary/any'], strategy: 'weighted' } },
      random: () => draws.shift() ?? 0.5,
    })
    const generate = async () => (await fairlead.generate({ model: 'smart', prompt: 'x' })).content
    expect([await generate(), await generate()]).toEqual(['old', 'canary'])
  })
})

describe('strategy fastest', () => {
  async function race(...paces: readonly [string, number][]) {
    let clock = testClock()
    const world = await setup(
      paces.map(([id, ms]) => slow(id, ms, () => clock)),
      { strategy: 'fastest' },
    )
    clock = world.clock
    return world
  }

  test('the strategy fastest tries each target once, then uses the fastest', async () => {
    const { responder } = await race(['slow', 900], ['quick', 100], ['slower', 2_000])
    const answers = []
    for (let call = 0; call < 6; call++) answers.push(await responder())
    expect(answers).toEqual(['slow', 'quick', 'slower', 'quick', 'quick', 'quick'])
  })

  test('the strategy fastest tries a slow target again after some minutes', async () => {
    const { responder, clock } = await race(['slow', 900], ['quick', 100])
    for (let call = 0; call < 3; call++) await responder()
    const answers = new Set<string | undefined>()
    for (let minute = 0; minute < 5; minute++) {
      clock.advance(60_000)
      answers.add(await responder())
      answers.add(await responder())
    }
    expect(answers).toContain('slow')
  })

  test('the strategy fastest does not count immediate failures as fast', async () => {
    const broken = sequenced('broken', new ProviderError('give_up', 'no'))
    const { responder } = await setup([broken, scripted('ok', 'x')], { strategy: 'fastest' })
    for (let call = 0; call < 10; call++) expect(await responder()).toBe('ok')
    expect(broken.asked).toBe(1)
  })
})

describe('strategy cheapest', () => {
  test('the strategy cheapest estimates the cost from the prompt and maxTokens', async () => {
    const reader = priced('reads-cheaply', { input: 1, output: 100 })
    const writer = priced('writes-cheaply', { input: 10, output: 10 })
    const { responder, caller } = await setup([reader, writer], { strategy: 'cheapest' })
    expect(await responder(caller, { prompt: 'long '.repeat(2_000), maxTokens: 1 })).toBe('reads-cheaply')
    expect(await responder(caller, { prompt: 'short', maxTokens: 200 })).toBe('writes-cheaply')
  })

  test('the strategy cheapest calls targets of unknown price last, and keeps the order of equal prices', async () => {
    const unknown = priced('unknown', undefined)
    const same = { input: 5, output: 5 }
    const { responder } = await setup([unknown, priced('one', same), priced('two', same)], { strategy: 'cheapest' })
    expect(await responder()).toBe('one')
  })
})
