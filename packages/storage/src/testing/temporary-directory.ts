import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** Creates a directory that is deleted after the test. */
export function temporaryDirectory(): string {
  const path = mkdtempSync(join(tmpdir(), 'fairlead-storage-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}
