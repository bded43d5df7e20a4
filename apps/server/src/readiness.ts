import type { FairleadCore } from '@fairlead/core'

/** `degraded`: records can be read, and not written. */
export type ReadinessStatus = 'ready' | 'degraded' | 'not ready'

/** Whether requests should be sent here. */
export interface Readiness {
  readonly draining: boolean
  check(): Promise<ReadinessStatus>
  drain(): void
}

export interface ReadinessOptions {
  /** How long a read or a write may take, in milliseconds. Default: 2,000. */
  readonly patienceMs?: number
  /** Milliseconds from any instant on. Default: `performance.now`. */
  readonly now?: () => number
}

/** How long the outcome of a write is believed, in milliseconds, however often somebody asks. */
const writeIntervalMs = 1_000

export function createReadiness(
  core: Pick<FairleadCore, 'check' | 'checkWrites'>,
  { patienceMs = 2_000, now = () => performance.now() }: ReadinessOptions = {},
): Readiness {
  let draining = false
  let lastWrite: { readonly at: number; readonly succeeds: Promise<boolean> } | undefined

  async function succeedsInTime(work: Promise<void>): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const timer = setTimeout(resolve, patienceMs, false).unref()
    work.then(
      () => resolve(true),
      () => resolve(false),
    )
    return promise.finally(() => clearTimeout(timer))
  }

  function canWrite(): Promise<boolean> {
    if (!lastWrite || now() - lastWrite.at >= writeIntervalMs) {
      lastWrite = { at: now(), succeeds: succeedsInTime(core.checkWrites()) }
    }
    return lastWrite.succeeds
  }

  return {
    get draining() {
      return draining
    },
    drain() {
      draining = true
    },
    async check() {
      if (draining || !(await succeedsInTime(core.check()))) return 'not ready'
      return (await canWrite()) ? 'ready' : 'degraded'
    },
  }
}
