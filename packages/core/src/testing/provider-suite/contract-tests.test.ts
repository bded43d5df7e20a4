import { expect, onTestFinished, test } from 'vitest'
import type { Provider } from '../../ports/provider.ts'
import { scripted, textModel } from '../fake-providers.ts'
import { openTestUpstream } from '../test-upstream.ts'
import { contractTests } from './contract-tests.ts'
import type { KindReplay, SuiteTester } from './suite-tester.ts'

/** Has one test of the suite done for a provider with replays. */
async function tryOut(title: string, parts: Partial<Provider>): Promise<unknown> {
  const tests = new Map<string, Parameters<SuiteTester['test']>[1]>()
  contractTests({
    replays: [{ kind: 'text' } as KindReplay],
    requestOf: () => ({}),
    test: (name, expectations) => void tests.set(name, expectations),
    requireSkipsToBeKnown() {},
  })
  const upstream = await openTestUpstream()
  onTestFinished(() => upstream.close())
  const provider = { ...scripted('calm', 'hello'), ...parts }
  return tests.get(title)!({ provider, upstream, apiKey: '', another: async () => provider })
}

test('a provider that lists its models without its upstream has nothing to hang up', async () => {
  const title = 'hangs up when its models are no longer waited for'
  await expect(tryOut(title, { models: async () => [textModel()] })).resolves.toBeUndefined()
})

test('a provider that is well whatever becomes of its upstream is found out', async () => {
  await expect(tryOut('is not well when its upstream hangs up', { health: async () => {} })).rejects.toThrow(
    'instead of rejecting',
  )
})
