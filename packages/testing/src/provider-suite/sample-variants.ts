import { sampleCapabilities } from './sample-capabilities.ts'
import { type Habits, type Protocol, sampleProvider } from './sample-provider.ts'
import { sampleOptions, sampleReplay } from './sample-replays.ts'
import type { MakeProvider, ProviderSuiteOptions } from './suite-options.ts'

/** The sample over an API with another protocol. */
export interface SampleVariant {
  readonly name: string
  readonly habits: Habits
  readonly make: MakeProvider
  readonly options: ProviderSuiteOptions
}

function variant(protocol: Protocol, signsIn: boolean): SampleVariant {
  return {
    name: `sample with ${protocol}${signsIn ? ' and a token' : ''}`,
    habits: { protocol, signsIn },
    make: (upstream) => sampleProvider(upstream, { protocol, signsIn }),
    options: sampleOptions(protocol, signsIn, { replay: sampleReplay, capabilities: sampleCapabilities }),
  }
}

export const variants = {
  events: variant('events', false),
  lines: variant('lines', false),
  jobs: variant('jobs', false),
  token: variant('events', true),
  everything: variant('jobs', true),
}

export const sampleVariants: readonly SampleVariant[] = Object.values(variants)
