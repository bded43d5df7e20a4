import { describe, expect, test } from 'vitest'
import { operations } from '@fairlead/testing/workspace'
import { ProviderError, type Provider } from '../../provider.ts'
import { held, scripted, sequenced, testCore, type TestCoreOptions } from '@fairlead/testing'

const down = new ProviderError('give_up', 'down')

async function setup(providers: readonly Provider[], options: TestCoreOptions = {}) {
  const world = await testCore({ providers, ...options })
  const { fairlead, core, caller } = world
  const generate = (model = 'any') => core.run(operations.generate, caller, { model, prompt: 'x' })
  const repeat = async (count: number) => {
    for (let call = 0; call < count; call++) await generate()
  }
  const circuit = async () => (await fairlead.providers.list({}))[0]?.targets[0]?.circuit
  return { ...world, generate, repeat, circuit }
}

/** A provider that fails until `recover` is called. */
function brokenFirst(provider: Provider): { readonly recovering: Provider; recover(): void } {
  const fail = sequenced(provider.id, down)
  let current: Provider = fail
  const generateText: Provider['generateText'] = (request, call) => current.generateText!(request, call)
  return { recovering: { ...provider, generateText: generateText! }, recover: () => void (current = provider) }
}

describe('an open circuit breaker', () => {
  test('an open circuit breaker lets one call through after ten seconds, and closes when it succeeds', async () => {
    const shaky = sequenced('shaky', down, down, down, down, down, 'recovered')
    const { generate, repeat, circuit, clock } = await setup([shaky])
    await repeat(5)
    clock.advance(10_000)
    expect(await circuit()).toBe('half-open')
    expect(await generate()).toMatchObject({ data: { content: 'recovered' } })
    expect(await circuit()).toBe('closed')
  })

  test('an open circuit breaker lets no second call through while a trial is in flight', async () => {
    const provider = held('slow')
    const { recovering, recover } = brokenFirst(provider)
    const { generate, repeat, clock } = await setup([recovering])
    await repeat(5)
    recover()
    clock.advance(10_000)
    const trial = generate()
    await expect.poll(() => provider.calls.length).toBe(1)
    expect(await generate()).toMatchObject({ error: { code: 'PROVIDER_UNAVAILABLE' }, retryAfterMs: 1_000 })
    provider.release('recovered')
    expect(await trial).toMatchObject({ success: true })
  })

  test('an open circuit breaker lets another call through when a trial takes long', async () => {
    const provider = held('slow')
    const { recovering, recover } = brokenFirst(provider)
    const { generate, repeat, circuit, clock } = await setup([recovering])
    await repeat(5)
    recover()
    clock.advance(10_000)
    const trials = [generate()]
    await expect.poll(() => provider.calls.length).toBe(1)
    clock.advance(10_000)
    trials.push(generate())
    await expect.poll(() => provider.calls.length).toBe(2)
    provider.release('recovered')
    expect(await Promise.all(trials)).toMatchObject([{ success: true }, { success: true }])
    expect(await circuit()).toBe('closed')
  })

  test('an open circuit breaker lets another call through when a trial is canceled', async () => {
    const provider = held('slow')
    const { recovering, recover } = brokenFirst(provider)
    const { core, caller, repeat, clock } = await setup([recovering])
    await repeat(5)
    recover()
    clock.advance(10_000)
    for (let trial = 1; trial <= 2; trial++) {
      const controller = new AbortController()
      const options = { signal: controller.signal }
      const reply = core.run(operations.generate, caller, { model: 'any', prompt: 'x' }, options)
      await expect.poll(() => provider.calls.length).toBe(trial)
      controller.abort()
      await reply
    }
    expect(provider.calls).toHaveLength(2)
  })

  test('an open circuit breaker doubles its delay after each failed trial, up to a minute', async () => {
    const broken = sequenced('broken', down)
    const { generate, fairlead, clock } = await setup([broken, scripted('ok', 'hello')], {
      routes: { smart: { targets: ['broken/any', 'ok/any'] } },
    })
    for (let call = 0; call < 5; call++) await generate('smart')
    const waits = []
    for (let trial = 0; trial < 5; trial++) {
      const waitMs = (await fairlead.providers.list({}))[0]?.targets[0]?.restMs ?? 0
      waits.push(waitMs)
      clock.advance(waitMs - 1)
      await generate('smart')
      expect(broken.asked).toBe(5 + trial)
      clock.advance(1)
      await generate('smart')
    }
    expect(waits).toEqual([10_000, 20_000, 40_000, 60_000, 60_000])
  })

  test('an open circuit breaker tries a single target ten repeat as often, one call at a time', async () => {
    const broken = sequenced('broken', down)
    const { generate, repeat, clock } = await setup([broken])
    await repeat(5)
    const waits = []
    for (let trial = 0; trial < 5; trial++) {
      const reply = await generate()
      const waitMs = ('retryAfterMs' in reply && reply.retryAfterMs) || 0
      waits.push(waitMs)
      clock.advance(waitMs)
      await repeat(10)
      expect(broken.asked).toBe(6 + trial)
    }
    expect(waits).toEqual([1_000, 2_000, 4_000, 6_000, 6_000])
  })

  test('an open circuit breaker closes when one of several trials succeeds, even if another has failed', async () => {
    const provider = held('slow')
    const { recovering, recover } = brokenFirst(provider)
    const { generate, repeat, circuit, clock } = await setup([recovering])
    await repeat(5)
    recover()
    clock.advance(1_000)
    const slow = generate()
    await expect.poll(() => provider.calls.length).toBe(1)
    recovering.generateText = async () => {
      throw down
    }
    clock.advance(1_000)
    expect(await generate()).toMatchObject({ error: { code: 'PROVIDER_ERROR' } })
    provider.release('recovered')
    expect(await slow).toMatchObject({ success: true })
    expect(await circuit()).toBe('closed')
  })

  test('an open circuit breaker lets a call through after the clock was set back', async () => {
    const shaky = sequenced('shaky', down, down, down, down, down, 'recovered')
    const { generate, repeat, clock } = await setup([shaky])
    await repeat(5)
    clock.jumpTo(clock.now() - 3_600_000)
    expect(await generate()).toMatchObject({ data: { content: 'recovered' } })
  })
})
