import type { Blobs } from '../ports/blobs.ts'
import type { Log } from '../ports/log.ts'
import type { Stores } from '../ports/stores.ts'
import { isId, madeAt } from '../values/id.ts'

/** A blob is written before its row: one this young may still get it, in milliseconds. */
const graceMs = 86_400_000
const batchSize = 500
/** Removed in one sweep; the rest goes in the next. */
const mostOrphans = 10_000

export interface Sweeping {
  readonly stores: Stores
  readonly blobs: Blobs
  /** From `advanceRetentionTime`. */
  readonly now: number
  readonly log: Log
  readonly signal: AbortSignal
}

/** Removes the images that no row names, which a crash or a failed removal left behind. */
export async function sweepBlobs({ stores, blobs, now, log, signal }: Sweeping): Promise<void> {
  const orphans: string[] = []
  let owned = 0
  let batch: string[] = []

  async function check(): Promise<void> {
    const missing = await stores.read((view) => view.images.missing(batch))
    owned += batch.length - missing.length
    orphans.push(...missing)
    batch = []
  }

  for await (const name of blobs.names()) {
    if (signal.aborted) return
    if (!isId(name, 'img') || madeAt(name) > now - graceMs) continue
    batch.push(name)
    if (batch.length === batchSize) await check()
    if (orphans.length >= mostOrphans) break
  }
  await check()
  if (orphans.length === 0) return
  // All of them without a row: more likely these are the images of another database than all lost.
  if (owned === 0) {
    return log.warn({ images: orphans.length }, 'the store knows none of the images; none was removed')
  }
  for (const name of orphans) await blobs.delete(name)
}
