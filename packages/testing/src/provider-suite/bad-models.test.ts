import { fakeTextModel } from '../fakes/fake-providers.ts'
import type { Provider } from '@fairlead/core/provider'
import { describe, expect, test } from 'vitest'
import { good, type Make, modified, runTitled } from './run-sample.ts'
import { sampleProvider } from './sample-provider.ts'

const contradictory = (parts: Partial<Provider>): Make => modified(() => parts)
const metadata = 'describes its models without contradictions'

/** Each bad provider, the test that fails for it, and how it is made. */
const badProviders: readonly (readonly [string, string, Make])[] = [
  ['has a maxTokens above its contextSize', metadata, contradictory({ models: [fakeTextModel({ contextSize: 100 })] })],
  ['lists a model twice', metadata, contradictory({ models: [fakeTextModel(), fakeTextModel()] })],
  [
    'has a price that no prompt can reach',
    metadata,
    contradictory({
      models: [
        fakeTextModel({
          contextSize: 1_000,
          pricing: { input: 1, output: 1, longPrompts: { above: 1_000, input: 2, output: 2 } },
        }),
      ],
    }),
  ],
  ['has a capacity for an unknown model', metadata, contradictory({ capacities: [{ ids: ['none'], concurrency: 1 }] })],
  ['has a method analyze and no analyzers', metadata, contradictory({ analyzers: [] })],
  [
    'lists a streaming model and cannot stream',
    metadata,
    ({ url, apiKey }) => {
      const { streamText: _streamText, ...rest } = sampleProvider({ url, apiKey })
      return { ...rest, models: [fakeTextModel({ streaming: true })] }
    },
  ],
  ['lists a model with tools that is not chat', metadata, contradictory({ models: [fakeTextModel({ tools: true })] })],
  [
    'lists an embedding model without a method',
    metadata,
    ({ url, apiKey }) => {
      const { embed: _embed, ...rest } = sampleProvider({ url, apiKey })
      return rest
    },
  ],
  ['lists a model without a method', metadata, () => ({ contract: 2, id: 'mute', models: [fakeTextModel()] })],
]

describe('the provider suite fails for a provider that', () => {
  test.each(badProviders)('the provider suite fails for a provider that %s', async (_case, title, make) => {
    await expect(runTitled(title, make)).rejects.toThrow('The provider ')
    // The same test passes for the good provider, or can't apply to it.
    await runTitled(title, good)
  })
})
