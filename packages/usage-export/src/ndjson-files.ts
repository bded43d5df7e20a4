import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { UsageRecord } from '@fairlead/core/stores'
import type { UsageDestination } from './exporter.ts'
import { toLine } from './to-line.ts'

/** A folder or a bucket, such as `diskFiles` and `s3Files` of `@fairlead/storage` open. */
export interface Files {
  /** Names the place. Two programs with the same place and the same stores share an export. */
  readonly name: string
  /** Writes a whole file, or none, in place of one with the same path. */
  put(path: string, bytes: Uint8Array): Promise<void>
}

const compress = promisify(gzip)

/**
 * Writes one JSON object in a line for each record, to a compressed file for each batch and day (UTC):
 * `date=2026-11-28/<batch>.ndjson.gz`. A batch that is written a second time replaces its files, so that each record is in
 * one line even if the exporter is killed.
 *
 * @example
 *   usageExport({ to: [ndjsonFiles(diskFiles('/var/lib/usage'))] })
 */
export function ndjsonFiles(files: Files): UsageDestination {
  return {
    name: files.name,
    async write({ id, records }) {
      for (const [day, ofDay] of Map.groupBy(records, dayOf)) {
        await files.put(`date=${day}/${id}.ndjson.gz`, await compress(ofDay.map(lineOf).join('')))
      }
    },
  }
}

function dayOf({ at }: UsageRecord): string {
  return new Date(at).toISOString().slice(0, 10)
}

function lineOf(record: UsageRecord): string {
  return `${JSON.stringify(toLine(record))}\n`
}
