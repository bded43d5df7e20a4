import { randomBytes } from 'node:crypto'
import { mkdir, open, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

export const draftSuffix = '.part'

/** Writes a file as a draft, which is synced and then renamed, so that no partial file is visible. */
export async function writeWhole(path: string, bytes: Uint8Array): Promise<void> {
  const draft = `${path}.${randomBytes(6).toString('hex')}${draftSuffix}`
  try {
    await writeFile(draft, bytes, { flag: 'wx', mode: 0o600, flush: true })
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {}) // The first error says more.
    throw error
  }
  await syncDirectory(dirname(path))
}

/** Makes created, deleted and renamed files durable (fsync(2), notes). Windows cannot sync a directory, and need not. */
async function syncDirectory(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const directory = await open(path, 'r')
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}

/**
 * Creates a directory and its parents, readable only by their owner. Not with the recursive `mkdir` of Node 24, which
 * retries forever where an existing parent returns ENOENT, as `/proc` does.
 */
export async function makeDirectory(path: string): Promise<void> {
  const parent = dirname(path)
  if (parent !== path && !(await isDirectory(parent))) await makeDirectory(parent)
  try {
    await mkdir(path, { mode: 0o700 })
  } catch (error) {
    // Another process may have created it at the same time.
    if (!(await isDirectory(path))) throw error
  }
}

async function isDirectory(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
}
