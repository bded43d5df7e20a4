import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Clock, Log } from '@fairlead/core'
import type { RuntimeStores, StoredUsage, UsageRecord } from '@fairlead/core/stores'

/** Where usage records go. */
export interface UsageDestination {
  /** Names its progress in the stores, such as `s3://bucket/usage`. */
  readonly name: string
  /**
   * Writes records. Called again with the same batch if it rejects, or if the process ends before the progress is stored.
   *
   * @param signal aborts when the core is closed
   */
  write(batch: UsageBatch, signal: AbortSignal): Promise<void>
}

export interface UsageBatch {
  /** The same for the same records. Letters, digits, `-` and `_`; ids of later batches sort after earlier ones. */
  readonly id: string
  /** In the order in which they were stored. */
  readonly records: readonly UsageRecord[]
}

interface ExporterOptions {
  readonly stores: RuntimeStores
  readonly storedUsage: StoredUsage
  readonly clock: Clock
  readonly log: Log
  readonly destination: UsageDestination
  readonly everyMs: number
}

/** How far an export is. All processes on the same stores share it. */
interface Progress {
  /** Of the last record that was written. Undefined before the first one. */
  readonly position?: string
  /** The batch in progress. It is stored before it is written, so that a second attempt writes the same records. */
  readonly batch?: { readonly id: string; readonly upTo: string; readonly by: string; readonly until: number }
  /** How many batches were written. */
  readonly batches: number
}

/** Enough to be worth a file, and few enough to hold the event loop for less than 50 ms. */
const batchSize = 5_000
/** How long other processes leave a batch to the one that writes it, in milliseconds. */
const leaseMs = 15_000

/** Exports to one destination until it is stopped. Of several processes, one writes each batch. */
export function startExporter({ stores, storedUsage, clock, log, destination, everyMs }: ExporterOptions) {
  const setting = `usage_export ${destination.name}`
  const own = randomUUID()
  const stopping = new AbortController()
  const { signal } = stopping
  let isPrepared = false
  let running = Promise.resolve()
  let cancel = clock.schedule(0, start)

  function start(): void {
    running = exportAll().finally(() => {
      if (!signal.aborted) cancel = clock.schedule(everyMs, start)
    })
  }

  async function exportAll(): Promise<void> {
    try {
      if (!isPrepared) await storedUsage.prepare()
      isPrepared = true
      while (!signal.aborted && (await exportBatch()));
    } catch (error) {
      log.warn({ destination: destination.name, error }, 'usage export failed, trying again')
    }
  }

  /** Returns whether there may be more to export. */
  async function exportBatch(): Promise<boolean> {
    const progress = await stores.read((view) => view.settings.get(setting)).then(parse)
    const { position, batch, batches } = progress
    if (batch && batch.by !== own && batch.until > clock.now()) return false
    const { records, position: end } = batch
      ? await storedUsage.after(position, Number.MAX_SAFE_INTEGER, batch.upTo)
      : await storedUsage.after(position, batchSize)
    const { id, upTo = end } = batch ?? { id: idOf(batches, records.at(-1)) }
    if (upTo === undefined) return false
    const claimed = { ...progress, batch: { id, upTo, by: own, until: clock.now() + leaseMs } }
    if (!(await advance(progress, claimed))) return true
    // They may have been removed since.
    if (records.length > 0) await destination.write({ id, records }, signal)
    await advance(claimed, { position: upTo, batches: batches + 1 })
    return batch !== undefined || records.length === batchSize
  }

  /** Returns false if another process has changed the progress. */
  function advance(from: Progress, to: Progress): Promise<boolean> {
    return stores.transact(async (tx) => {
      await tx.lock(setting)
      if (!isDeepStrictEqual(parse(await tx.settings.get(setting)), from)) return false
      await tx.settings.set(setting, JSON.stringify(to))
      return true
    })
  }

  return {
    stop() {
      stopping.abort()
      cancel()
      return running
    },
  }
}

function parse(progress: string | undefined): Progress {
  return progress === undefined ? { batches: 0 } : (JSON.parse(progress) as Progress)
}

/** The run id tells a batch from one of the same number before a database was restored. */
function idOf(batch: number, last: UsageRecord | undefined): string {
  return `usage-${String(batch).padStart(9, '0')}-${last?.runId}`
}
