import type { Blobs } from '../ports/blobs.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { Stores } from '../ports/stores.ts'
import { purge } from './purge.ts'
import { type Job, repeat } from './repeat.ts'
import { advanceRetentionTime } from './retention-time.ts'
import { sweepBlobs } from './sweep-blobs.ts'

export interface RetentionOptions {
  readonly stores: Stores
  readonly blobs: Blobs
  readonly clock: Clock
  readonly log: Log
}

const firstAfterMs = 60_000
const everyMs = 3_600_000
/** The first round sweeps, and then one a day. */
const roundsToASweep = 24

/** Removes, every hour, what is too old to be kept, and every day what nobody knows of. */
export function startRetention({ stores, blobs, clock, log }: RetentionOptions): Job {
  let rounds = 0
  return repeat({ name: 'retention', firstAfterMs, everyMs, clock, log }, async (signal) => {
    const now = await advanceRetentionTime(stores, clock.now())
    await purge({ stores, blobs, clock, now, signal })
    if (rounds++ % roundsToASweep === 0) await sweepBlobs({ stores, blobs, now, log, signal })
  })
}
