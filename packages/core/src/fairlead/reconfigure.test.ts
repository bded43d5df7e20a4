import { describe, expect, test, vi } from 'vitest'
import { failing, held, scripted, fakeTextModel, testClock, testCore, type TestCoreOptions } from '@fairlead/testing'
import type { ObservedTarget } from '../gateway/routing/attempt-observer.ts'
import type { TextModel } from '../gateway/model.ts'
import type { Provider } from '../gateway/provider.ts'
import { fakeCache } from '../testing/fake-cache.ts'
import { operations } from '@fairlead/testing/workspace'

const question = { model: 'any', prompt: 'x' }

function closing<Kind extends Provider>(provider: Kind) {
  return { ...provider, close: vi.fn<() => Promise<void>>(async () => {}) }
}

async function setup(options: TestCoreOptions) {
  const world = await testCore(options)
  const ask = (model = 'any') => world.core.run(operations.generate, world.caller, { ...question, model })
  const swap = async (...given: Parameters<typeof world.core.reconfigure>) => {
    const { changes, apply } = await world.core.reconfigure(...given)
    apply()
    return changes
  }
  return { ...world, ask, swap }
}

describe('reconfigure', () => {
  test('reconfigure sends calls that begin after `apply` to the new providers and routes', async () => {
    const { core, ask } = await setup({ providers: [scripted('old', 'from the old')] })
    const next = await core.reconfigure({
      providers: [scripted('new', 'from the new')],
      routing: { routes: { smart: { targets: ['new/any'] } } },
    })
    expect(await ask()).toMatchObject({ data: { content: 'from the old' } })
    next.apply()
    expect(await ask()).toMatchObject({ data: { content: 'from the new' }, meta: { provider: 'new' } })
    expect(await ask('smart')).toMatchObject({ data: { content: 'from the new' } })
  })

  test('reconfigure ends calls in flight with the provider that they began with, and closes it after the last', async () => {
    const old = closing(held('slow'))
    const { ask, swap } = await setup({ providers: [old] })
    const replies = [ask(), ask()]
    await expect.poll(() => old.calls.length).toBe(2)
    await swap({ providers: [scripted('slow', 'from the new')] })
    expect(await ask()).toMatchObject({ data: { content: 'from the new' } })
    expect(old.close).not.toHaveBeenCalled()
    old.release('from the old')
    expect(await Promise.all(replies)).toMatchObject([
      { data: { content: 'from the old' } },
      { data: { content: 'from the old' } },
    ])
    await expect.poll(() => old.close.mock.calls.length).toBe(1)
  })

  test('reconfigure closes a provider of an earlier configuration only after calls of all configurations that had it', async () => {
    const [first, shared, last] = [closing(held('first')), closing(scripted('shared', 'x')), scripted('last', 'y')]
    const { ask, swap } = await setup({ providers: [first, shared] })
    const reply = ask('first/any')
    await expect.poll(() => first.calls.length).toBe(1)
    await swap({ providers: [shared] })
    await swap({ providers: [last] })
    expect(await ask()).toMatchObject({ data: { content: 'y' } })
    expect(shared.close).not.toHaveBeenCalled()
    first.release('done')
    expect(await reply).toMatchObject({ data: { content: 'done' } })
    await expect.poll(() => shared.close.mock.calls.length).toBe(1)
  })

  test('reconfigure does not close a provider that calls of a later configuration still use', async () => {
    const waiting: (() => void)[] = []
    const calm = scripted('slow', 'done')
    const slow = closing<Provider>({
      ...calm,
      async generateText(...given) {
        await new Promise<void>((resolve) => waiting.push(resolve))
        return calm.generateText!(...given)
      },
    })
    const { ask, swap } = await setup({ providers: [slow] })
    const first = ask()
    await expect.poll(() => waiting.length).toBe(1)
    await swap({ providers: [slow], routing: { aliases: { other: 'any' } } })
    const second = ask()
    await expect.poll(() => waiting.length).toBe(2)
    await swap({ providers: [scripted('last', 'y')] })
    waiting[0]?.()
    await first
    await new Promise((resolve) => setImmediate(resolve))
    expect(slow.close).not.toHaveBeenCalled()
    waiting[1]?.()
    expect(await second).toMatchObject({ data: { content: 'done' } })
    await expect.poll(() => slow.close.mock.calls.length).toBe(1)
  })

  test('reconfigure keeps a provider that stays, with its circuit breakers and its model list', async () => {
    const models = vi.fn<() => Promise<TextModel[]>>(async () => [fakeTextModel()])
    const broken: Provider = { ...failing('broken', 'retry'), models }
    const { fairlead, ask, swap } = await setup({ providers: [broken], circuit: { failures: 1 } })
    await ask()
    await swap({ providers: [broken, scripted('other', 'x')], routing: { circuit: { failures: 1 } } })
    expect(await fairlead.providers.list({})).toMatchObject([
      { id: 'broken', targets: [{ circuit: 'open', failures: 1 }] },
      { id: 'other', targets: [] },
    ])
    expect(models).toHaveBeenCalledTimes(1)
  })

  test('reconfigure resets circuit breakers when their options change', async () => {
    const broken = failing('broken', 'retry')
    const { fairlead, ask, swap } = await setup({ providers: [broken], circuit: { failures: 1 } })
    await ask()
    await swap({ providers: [broken], routing: { circuit: { failures: 5 } } })
    expect(await fairlead.providers.list({})).toMatchObject([{ id: 'broken', targets: [] }])
  })

  test('reconfigure reports what was added, removed, and changed', async () => {
    const [kept, gone] = [scripted('kept', 'x'), scripted('gone', 'x')]
    const route = { targets: ['kept/any'] }
    const { swap } = await setup({
      providers: [kept, gone, scripted('renewed', 'x')],
      routes: { same: route, edited: route, dropped: route },
    })
    const changes = await swap({
      providers: [kept, scripted('renewed', 'y'), scripted('fresh', 'z')],
      routing: {
        routes: { same: { targets: ['kept/any'] }, edited: { ...route, strategy: 'fastest' }, brandNew: route },
      },
    })
    expect(changes).toEqual({
      providers: { added: ['fresh'], removed: ['gone'], changed: ['renewed'] },
      routes: { added: ['brandNew'], removed: ['dropped'], changed: ['edited'] },
    })
  })

  test.each([
    [
      { providers: [scripted('a', 'x')], routing: { routes: { smart: { targets: ['b/any'] } } } },
      /routes\.smart\.targets\[0\]/,
    ],
    [{ providers: [scripted('a', 'x'), scripted('a', 'y')] }, /another provider is called "a" too/],
    [{ providers: [scripted('a', 'x')], stores: {} }, /stores: is not a known option/],
    [
      {
        providers: [scripted('a', 'x')],
        routing: { routes: { smart: { targets: ['a/any'], cache: { ttlMs: 1 } } } },
      },
      /needs a cache/,
    ],
  ])('reconfigure rejects an invalid configuration and changes nothing: %#', async (options, message) => {
    const { core, ask } = await setup({ providers: [scripted('old', 'from the old')] })
    await expect(core.reconfigure(options)).rejects.toThrow(message)
    expect(await ask()).toMatchObject({ data: { content: 'from the old' } })
  })

  test('reconfigure tells observers when the last call of a replaced target has ended', async () => {
    const removed: string[] = []
    const observer = { targetRemoved: ({ provider, id }: ObservedTarget) => void removed.push(`${provider}/${id}`) }
    const old = held('slow')
    const { ask, swap } = await setup({ providers: [old], observer })
    const reply = ask()
    await expect.poll(() => old.calls.length).toBe(1)
    await swap({ providers: [scripted('slow', 'x')] })
    expect(removed).toEqual([])
    old.release('done')
    await reply
    await expect.poll(() => removed).toEqual(['slow/any'])
  })

  test('reconfigure starts a new call instead of waiting for one of a provider that was replaced', async () => {
    const routes = { smart: { targets: ['slow/any'], cache: { ttlMs: 60_000 } } }
    const old = held('slow')
    const { ask, swap } = await setup({ providers: [old], routes, cache: fakeCache(testClock()) })
    const before = ask('smart')
    await expect.poll(() => old.calls.length).toBe(1)
    await swap({ providers: [scripted('slow', 'from the new')], routing: { routes } })
    expect(await ask('smart')).toMatchObject({ data: { content: 'from the new' } })
    old.release('from the old')
    expect(await before).toMatchObject({ data: { content: 'from the old' } })
  })

  test('reconfigure cannot be applied once the core closes, which also closes providers of earlier configurations', async () => {
    const old = closing(held('slow'))
    const { core, clock, ask, swap } = await setup({ providers: [old] })
    const reply = ask()
    await expect.poll(() => old.calls.length).toBe(1)
    await swap({ providers: [scripted('other', 'x')] })
    const { apply } = await core.reconfigure({ providers: [scripted('third', 'x')] })
    const closed = core.close()
    expect(apply).toThrow('The service is closed.')
    // Time in which the core would abort a call that it does not wait for.
    await new Promise((resolve) => setImmediate(resolve))
    old.release('done')
    expect(await reply).toMatchObject({ data: { content: 'done' } })
    clock.advance(1)
    await closed
    expect(old.close).toHaveBeenCalledTimes(1)
  })
})
