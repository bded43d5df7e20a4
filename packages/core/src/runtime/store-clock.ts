import { type Clock, monotonicNow } from './clock.ts'
import type { Log } from './log.ts'

/** How often the clock of the stores is read, in milliseconds. */
const measureEveryMs = 60_000
/** A smaller difference is left alone, so that time does not jump back and forth. */
const minSkewMs = 1_000
/** The clock of this machine may differ by this much from what it should say before nothing is served. */
const maxUnknownMs = 60_000

/** The time of the stores, which all nodes share. */
export interface StoreClock extends Clock {
  /** Measures now and every minute, until `stop`. Rejects if the first measurement fails. */
  start(): Promise<void>
  /** Measures again if the clock of this machine has jumped by more than a minute. Rejects if that fails. */
  check(): Promise<void>
  /** How far the clock of this machine is ahead of the stores' clock, in milliseconds. Zero if less than a second. */
  skewMs(): number
  stop(): void
}

/**
 * A clock that follows the stores' clock, so that a node whose clock is wrong counts budgets, sessions and retention as
 * the other nodes do. Between measurements it goes on as the monotonic clock does: a correction of the machine's clock
 * changes nothing.
 *
 * @param clock with a monotonic one
 * @param readTime of the stores, in milliseconds since the epoch
 */
export function followStores(clock: Clock, readTime: () => Promise<number>, log: Log): StoreClock {
  const monotonic = () => monotonicNow(clock)
  /** The time of the stores when it was last measured. */
  let base: { readonly now: number; readonly at: number } | undefined
  let skewMs = 0
  let cancel = () => {}
  const now = () => (base ? Math.round(base.now + monotonic() - base.at) : clock.now())

  async function measure(): Promise<void> {
    const before = monotonic()
    const time = await readTime()
    const after = monotonic()
    // The stores read their clock at some time in between.
    const halfMs = (after - before) / 2
    const ahead = clock.now() - (time + halfMs)
    const errorMs = Math.max(minSkewMs, halfMs)
    const isSame = Math.abs(ahead - skewMs) < errorMs
    const next = isSame ? skewMs : Math.abs(ahead) < errorMs ? 0 : Math.round(ahead)
    if (next !== skewMs) {
      const fact = next === 0 ? 'agrees with' : 'differs from'
      log.warn({ skewMs: next }, `the clock of this machine ${fact} that of the database, which is used`)
    }
    skewMs = next
    base = { now: clock.now() - skewMs, at: after }
  }

  function schedule(): void {
    cancel = clock.schedule(measureEveryMs, () => {
      // A failure is one of the stores, which report it themselves.
      void measure().catch(() => {})
      schedule()
    })
  }

  return {
    now,
    monotonic,
    schedule: (ms, callback) => clock.schedule(ms, callback),
    async start() {
      await measure()
      schedule()
    },
    async check() {
      if (Math.abs(clock.now() - skewMs - now()) > maxUnknownMs) await measure()
    },
    skewMs: () => skewMs,
    stop: () => cancel(),
  }
}
