import type { FairleadCore } from '@fairlead/core'

/** Whether requests should be sent here. */
export interface Readiness {
  readonly draining: boolean
  /** True where the stores answer and the server isn't draining. */
  check(): Promise<boolean>
  drain(): void
}

export interface ReadinessOptions {
  /** How long the stores may take to answer, in milliseconds. Default: 2,000. */
  readonly patienceMs?: number
}

export function createReadiness(
  core: Pick<FairleadCore, 'check'>,
  { patienceMs = 2_000 }: ReadinessOptions = {},
): Readiness {
  let draining = false
  return {
    get draining() {
      return draining
    },
    drain() {
      draining = true
    },
    async check() {
      if (draining) return false
      return Promise.race([
        core.check().then(
          () => true,
          () => false,
        ),
        new Promise<boolean>((resolve) => void setTimeout(resolve, patienceMs, false).unref()),
      ])
    },
  }
}
