import { describe, expect, test, vi } from 'vitest'
import type { Provider, ProviderCall } from '../provider.ts'
import { scripted, fakeTextModel, testCore } from '@fairlead/testing'
import type { Model } from '../model.ts'
import { ProviderError } from '../provider-error.ts'

const tenMinutes = 600_000

/** A core whose provider fetches these lists, one after the other. */
async function listing(...lists: readonly (readonly string[] | Error)[]) {
  let times = 0
  const list = vi.fn<() => Promise<readonly Model[]>>(async () => {
    const ids = lists[Math.min(times++, lists.length - 1)] ?? []
    if (ids instanceof Error) throw ids
    return ids.map((id) => fakeTextModel({ id }))
  })
  const provider: Provider = { ...scripted('upstream', 'hello'), models: list }
  const { fairlead, clock } = await testCore({ providers: [provider] })
  const ids = async () => (await fairlead.models.list()).map(({ id }) => id)
  return { ids, clock, list }
}

describe('createCatalog', () => {
  test('createCatalog refreshes a fetched model list in the background after ten minutes', async () => {
    const { ids, clock, list } = await listing(['small'], ['small', 'large'])
    expect(await ids()).toEqual(['small'])
    clock.advance(tenMinutes - 1)
    expect(await ids()).toEqual(['small'])
    expect(list).toHaveBeenCalledTimes(1)
    clock.advance(1)
    expect(await ids()).toEqual(['small'])
    await expect.poll(ids).toEqual(['small', 'large'])
    expect(list).toHaveBeenCalledTimes(2)
  })

  test('createCatalog keeps the last model list when a refresh fails, and retries after 30 seconds', async () => {
    const { ids, clock, list } = await listing(['small'], new Error('down'), ['large'])
    await ids()
    clock.advance(tenMinutes)
    await ids()
    await expect.poll(() => list.mock.calls.length).toBe(2)
    expect(await ids()).toEqual(['small'])
    clock.advance(30_000)
    await expect.poll(ids).toEqual(['large'])
  })

  test('createCatalog reads a model list that is not fetched again after ten minutes', async () => {
    const lists = [[fakeTextModel({ id: 'small' })], [fakeTextModel({ id: 'large' })]]
    let times = 0
    const provider: Provider = {
      ...scripted('upstream', 'hello'),
      get models() {
        return lists[times]!
      },
    }
    const { fairlead, clock } = await testCore({ providers: [provider] })
    const ids = async () => (await fairlead.models.list()).map(({ id }) => id)
    expect(await ids()).toEqual(['small'])
    times = 1
    clock.advance(tenMinutes)
    await ids()
    await expect.poll(ids).toEqual(['large'])
  })

  test('createCatalog does not log an invalid model again while the list is unchanged', async () => {
    let models = [fakeTextModel()]
    const provider: Provider = {
      ...scripted('upstream', 'hello'),
      get models() {
        return models
      },
    }
    const { fairlead, clock, logged } = await testCore({ providers: [provider] })
    models = [fakeTextModel({ id: '' }), fakeTextModel()]
    for (let time = 0; time < 3; time++) {
      await fairlead.models.list()
      clock.advance(tenMinutes)
      await new Promise((resolve) => void setImmediate(resolve))
    }
    expect(logged).toHaveLength(1)
  })

  test('createCatalog aborts the call for a model list after ten seconds', async () => {
    const received = Promise.withResolvers<ProviderCall>()
    const slow: Provider = {
      ...scripted('slow', 'hello'),
      models: (call) => {
        received.resolve(call)
        return new Promise(() => {})
      },
    }
    const { fairlead, clock, logged } = await testCore({ providers: [slow, scripted('calm', 'hello')] })
    const listed = fairlead.models.list()
    const { signal, deadline } = await received.promise
    expect(deadline).toBe(clock.now() + 10_000)
    clock.advance(9_999)
    expect(signal.aborted).toBe(false)
    clock.advance(1)
    expect(signal.aborted).toBe(true)
    expect((await listed).map(({ provider }) => provider)).toEqual(['calm'])
    expect(logged).toMatchObject([{ facts: { provider: 'slow', error: { failure: 'timeout' } } }])
  })
})

/** A core whose provider knows the model `known`, and lists further ones in its own time. */
async function knowing(list: (call: ProviderCall) => Promise<readonly Model[]>) {
  const provider: Provider = {
    ...scripted('upstream', 'hello'),
    models: list,
    knownModels: [fakeTextModel({ id: 'known' })],
  }
  const { fairlead, core, clock, logged } = await testCore({ providers: [provider] })
  const ids = async () => (await fairlead.models.list()).map(({ id }) => id)
  return { fairlead, core, ids, clock, logged }
}

describe('createCatalog, for a provider with known models', () => {
  test('createCatalog lists the known models of a provider when the upstream cannot list its models, and logs the failure once', async () => {
    const { ids, clock, logged } = await knowing(async () => {
      throw new Error('down')
    })
    expect(await ids()).toEqual(['known'])
    clock.advance(30_000)
    expect(await ids()).toEqual(['known'])
    await new Promise((resolve) => void setImmediate(resolve))
    expect(logged).toMatchObject([{ message: 'listing the models of a provider failed' }])
  })

  test('createCatalog waits one second for the first list of a provider with known models, and adds its models when it arrives', async () => {
    const late = Promise.withResolvers<readonly Model[]>()
    const called = Promise.withResolvers<void>()
    const { ids, clock } = await knowing(() => {
      called.resolve()
      return late.promise
    })
    const first = ids()
    await called.promise
    clock.advance(1_000)
    expect(await first).toEqual(['known'])
    late.resolve([fakeTextModel({ id: 'known' }), fakeTextModel({ id: 'new' })])
    await expect.poll(ids).toEqual(['known', 'new'])
  })

  test('a provider with known models responds with 503 for an unknown model while the list is missing, because it may be on it', async () => {
    const { fairlead } = await knowing(async () => {
      throw new Error('down')
    })
    await expect(fairlead.generate({ model: 'new', prompt: 'x' })).rejects.toMatchObject({
      code: 'PROVIDER_UNAVAILABLE',
    })
  })

  test.each(['credential', 'give_up'] as const)(
    'a provider with known models rejects an unknown model if the upstream shows no list, with the failure %s',
    async (failure) => {
      const { fairlead } = await knowing(async () => {
        throw new ProviderError(failure, 'no list')
      })
      await expect(fairlead.generate({ model: 'new', prompt: 'x' })).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
      expect(await fairlead.generate({ model: 'known', prompt: 'x' })).toMatchObject({ content: 'hello' })
    },
  )
})
