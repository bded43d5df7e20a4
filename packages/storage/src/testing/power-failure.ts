import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { onTestFinished } from 'vitest'

const logHeaderBytes = 32
const frameHeaderBytes = 24
const sectorBytes = 4096

/**
 * Opens a database file whose log shows each sync. Without `psow`, SQLite expects a power failure to damage the whole
 * sector that it writes, and so repeats the last frame of a commit before it syncs: a commit without sync has no repeated
 * frame (https://sqlite.org/psow.html).
 */
export function openTraced(path: string): DatabaseSync {
  const connection = new DatabaseSync(`file:${path}?psow=0`)
  onTestFinished(() => {
    if (connection.isOpen) connection.close()
  })
  connection.exec('pragma journal_mode = wal')
  return connection
}

/** How many commits were synced since the log was last written from its start. */
export function countSyncs(path: string): number {
  return syncPoints(readFileSync(`${path}-wal`)).length
}

/** Copies a database as a power failure leaves it at worst: without what was not synced. */
export function copyAfterPowerFailure(path: string, copy: string): void {
  const log = readFileSync(`${path}-wal`)
  copyFileSync(path, copy)
  writeFileSync(`${copy}-wal`, log.subarray(0, syncPoints(log).at(-1) ?? 0))
}

/** Where the synced commits of a log end. */
function syncPoints(log: Buffer): readonly number[] {
  const points: number[] = []
  if (log.length < logHeaderBytes) return points
  const frameBytes = frameHeaderBytes + log.readUInt32BE(8)
  const salts = log.subarray(16, 24)
  let previous: Buffer | undefined
  for (let start = logHeaderBytes; start + frameBytes <= log.length; start += frameBytes) {
    const frame = log.subarray(start, start + frameBytes)
    // The rest is left over from before the log was written from its start.
    if (!frame.subarray(8, 16).equals(salts)) break
    const end = start + frameBytes
    const isCommit = frame.readUInt32BE(4) > 0
    if (isCommit && (isRepeated(previous, frame) || end % sectorBytes === 0)) points.push(end)
    previous = isCommit ? frame : undefined
  }
  return points
}

function isRepeated(previous: Buffer | undefined, frame: Buffer): boolean {
  const framePage = (bytes: Buffer) => bytes.subarray(frameHeaderBytes)
  return previous?.readUInt32BE(0) === frame.readUInt32BE(0) && framePage(previous).equals(framePage(frame))
}
