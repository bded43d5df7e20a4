import type { Provider, ProviderCall, TextEvent } from '@fairlead/core/provider'
import type { Make } from '../run-sample.ts'
import { type Habits, sampleProvider, type SampleProvider } from '../sample-provider.ts'
import { variants } from '../sample-variants.ts'

type Variant = keyof typeof variants

/** A provider with one fault. */
export interface BadProvider {
  readonly variant: Variant
  readonly fault: string
  /** The title of the test that finds it. */
  readonly title: string
  readonly make: Make
  /** The start of the error with which it rejects in that test. Default: the test asserts what is wrong. */
  readonly rejection?: string
}

/** A provider that is found because it rejects where it should answer. */
export function rejecting(rejection: string, provider: BadProvider): BadProvider {
  return { ...provider, rejection }
}

/** The sample with wrong habits. */
export function bad(variant: Variant, fault: string, title: string, habits: Habits): BadProvider {
  const make: Make = (upstream) => sampleProvider(upstream, { ...variants[variant].habits, ...habits })
  return { variant, fault, title, make }
}

/** The sample with other methods. */
export function changed(
  variant: Variant,
  fault: string,
  title: string,
  change: (sample: SampleProvider, apiKey: string) => Partial<Provider>,
): BadProvider {
  const make: Make = (upstream) => {
    const sample = sampleProvider(upstream, variants[variant].habits)
    return { ...sample, ...change(sample, upstream.apiKey) }
  }
  return { variant, fault, title, make }
}

/** A signal that never aborts. */
export const never = (): ProviderCall['signal'] => new AbortController().signal

export type Events = AsyncIterable<TextEvent>

/** The sample whose streams are changed. */
export function streamed(
  variant: Variant,
  fault: string,
  title: string,
  change: (events: Events) => Events,
): BadProvider {
  return changed(variant, fault, title, ({ streamText }) => ({
    streamText: (request, call) => change(streamText(request, call)),
  }))
}

/** A stream in which each event is replaced. */
export const each = (change: (event: TextEvent) => readonly TextEvent[]) =>
  async function* (events: Events): AsyncGenerator<TextEvent, void, undefined> {
    for await (const event of events) yield* change(event)
  }
