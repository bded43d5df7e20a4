import { isId, madeAt } from '../../runtime/id.ts'
import type { Log } from '../../runtime/log.ts'
import type { RetentionRound } from '../../runtime/feature.ts'
import type { Blobs, GatewayStores, GatewayTransaction } from './images.ts'

interface ImageRetentionOptions {
  readonly stores: GatewayStores
  readonly blobs: Blobs
  readonly log: Log
  /** How long images are kept, in days. Default: 90. */
  readonly days?: number | undefined
}

/** The first round sweeps, and then one per day. */
const roundsPerSweep = 24
/** A blob is written before its row, so a younger blob is not an orphan yet. In days. */
const graceDays = 1
/** Maximum number of blobs removed per sweep. */
const maxOrphans = 10_000
/** Blobs that are looked up together. */
const batchSize = 500

/** Removes expired images every round, and orphaned ones every day: blobs without a row, which a crash or a failed removal left behind. */
export function imageRetention(options: ImageRetentionOptions) {
  const { blobs, days = 90 } = options
  let rounds = 0

  return async (round: RetentionRound<GatewayTransaction>): Promise<void> => {
    // Rows first, so that no row lacks its blob.
    await round.inBatches(
      (tx, limit) => tx.images.purge(round.daysAgo(days), limit),
      (names) => blobs.delete(names),
    )
    if (rounds++ % roundsPerSweep === 0) await sweep(options, round)
  }
}

async function sweep(
  { stores, blobs, log }: ImageRetentionOptions,
  { daysAgo, signal }: RetentionRound<GatewayTransaction>,
): Promise<void> {
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
    if (!isId(name, 'img') || madeAt(name) > daysAgo(graceDays)) continue
    batch.push(name)
    if (batch.length === batchSize) await check()
    if (orphans.length >= maxOrphans) break
  }
  await check()
  if (orphans.length === 0) return
  // If no blob has a row, the blobs more likely belong to another database than all being orphans.
  if (owned === 0) {
    return log.warn({ images: orphans.length }, 'no stored image has a record, keeping all images')
  }
  await blobs.delete(orphans)
}
