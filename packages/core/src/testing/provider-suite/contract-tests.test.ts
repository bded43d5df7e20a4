import { expect, test } from 'vitest'
import type { Provider } from '../../gateway/provider.ts'
import { ProviderError } from '../../gateway/provider-error.ts'
import { scripted, textModel } from '../fake-providers.ts'
import { contractTests } from './contract-tests.ts'
import type { SuiteUpstream } from './suite-options.ts'
import type { KindReplay } from './suite-tester.ts'
import { tryOut } from './try-out.ts'

const suite = { replays: [{ kind: 'text' } as KindReplay], declare: contractTests }

function tryContract(title: string, parts: (upstream: SuiteUpstream) => Partial<Provider>) {
  return tryOut(title, (upstream) => ({ ...scripted('calm', 'hello'), ...parts(upstream) }), suite)
}

function leaky({ apiKey }: SuiteUpstream) {
  return async () => Promise.reject(new ProviderError('credential', `the key ${apiKey} is refused`))
}

test('a provider that lists its models without its upstream has nothing to hang up', async () => {
  const title = 'hangs up when its models are no longer waited for'
  const listing = tryContract(title, () => ({ models: async () => [textModel()] }))
  await expect(listing).resolves.toBeUndefined()
})

test('a provider that is well whatever becomes of its upstream is found out', async () => {
  const well = tryContract('is not well when its upstream hangs up', () => ({ health: async () => {} }))
  await expect(well).rejects.toThrow('instead of rejecting')
})

test('a provider that tells its key where its models are refused is found out', async () => {
  const title = 'tells no secret where it may not list its models'
  await expect(tryContract(title, (upstream) => ({ models: leaky(upstream) }))).rejects.toThrow('sk-try-out')
})

test('a provider that tells its key where its health is refused is found out', async () => {
  const title = 'tells no secret where it may not ask for its health'
  await expect(tryContract(title, (upstream) => ({ health: leaky(upstream) }))).rejects.toThrow('sk-try-out')
})

test('a provider that lists a model which it has no method for is found out', async () => {
  const mute = () => ({ contract: 1, id: 'mute', models: [textModel()] }) as const
  await expect(tryOut('lists models that core takes as they are', mute, suite)).rejects.toThrow("'any makes no text'")
})
