import type { ProviderFailure } from '../values/provider-error.ts'

/** Is told how targets answer, for whoever counts it. Every call waits for what is done here, and nothing here may throw. */
export interface ProviderMeter {
  /** Called once for each target, before it is asked for the first time. */
  watch(target: WatchedTarget): TargetMeter
}

/** A model or an analyzer of a provider, as it is at the moment of reading. */
export interface WatchedTarget {
  readonly provider: string
  readonly id: string
  readonly circuit: { readonly state: 'closed' | 'open' | 'half-open' }
  readonly bulkhead: { readonly inFlight: number; readonly queued: number }
}

/** What becomes of the calls of one target; each attempt is a call. */
export interface TargetMeter {
  asked(): void
  /** @param kind what came after so long: the whole answer, or the first piece of a stream */
  answered(kind: 'whole' | 'stream', ms: number): void
  /** @param failure `defect` for an error that no provider should throw */
  failed(failure: ProviderFailure | 'defect'): void
}

export const noMeter: ProviderMeter = { watch: () => ({ asked() {}, answered() {}, failed() {} }) }
