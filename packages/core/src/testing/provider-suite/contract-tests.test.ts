import { expect, onTestFinished, test } from 'vitest'
import { scripted, textModel } from '../fake-providers.ts'
import { openTestUpstream } from '../test-upstream.ts'
import { contractTests } from './contract-tests.ts'
import type { KindReplay, SuiteTester } from './suite-tester.ts'

/** A test of the suite, for a provider with replays. */
function testCalled(title: string) {
  const tests = new Map<string, Parameters<SuiteTester['test']>[1]>()
  contractTests({
    replays: [{ kind: 'text' } as KindReplay],
    requestOf: () => ({}),
    test: (name, expectations) => void tests.set(name, expectations),
    requireSkipsToBeKnown() {},
  })
  return tests.get(title)!
}

test('a provider that lists its models without its upstream has nothing to hang up', async () => {
  const upstream = await openTestUpstream()
  onTestFinished(() => upstream.close())
  const provider = { ...scripted('calm', 'hello'), models: async () => [textModel()] }
  const tested = testCalled('hangs up when its models are no longer waited for')
  await tested({ provider, upstream, apiKey: '', another: async () => provider })
  expect(upstream.requests).toEqual([])
})
