import { randomBytes } from 'node:crypto'
import { mkdir, open, opendir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { FairleadError } from '@fairlead/core'
import type { Blobs } from '@fairlead/core/stores'
import { isBlobName, requireBlobName } from './blob-name.ts'

const draftSuffix = '.part'
/** A draft that is older belongs to a process that was killed, in milliseconds. */
const staleAfterMs = 3_600_000
const retryAfterMs = 1_000
/** The block size of most file systems. */
const checkBytes = new Uint8Array(4_096)

/**
 * Stores each blob in a file: written as a draft, synced, then renamed, so that no partial file is visible. Rejects with
 * `SERVICE_UNAVAILABLE` where the disk is full or unavailable.
 */
export async function diskBlobs(directory: string): Promise<Blobs> {
  // Anyone who can list the names can fetch the images.
  await makeDirectory(directory)
  await removeStaleDrafts(directory)

  function pathOf(name: string): string {
    return join(directory, requireBlobName(name))
  }

  async function put(path: string, bytes: Uint8Array): Promise<void> {
    const draft = `${path}.${randomBytes(6).toString('hex')}${draftSuffix}`
    try {
      await writeFile(draft, bytes, { flag: 'wx', mode: 0o600, flush: true })
      await rename(draft, path)
    } catch (error) {
      await rm(draft, { force: true }).catch(() => {}) // The first error says more.
      throw error
    }
    await syncDirectory(directory)
  }

  return {
    async put(name, bytes) {
      const path = pathOf(name)
      await orUnavailable(put(path, bytes))
    },
    async get(name) {
      const path = pathOf(name)
      return orUnavailable(
        readFile(path).catch((error: unknown) => {
          if (codeOf(error) === 'ENOENT') return undefined
          throw error
        }),
      )
    },
    async delete(names) {
      for (const path of names.map(pathOf)) await orUnavailable(rm(path, { force: true }))
    },
    async check() {
      const draft = join(directory, `check.${randomBytes(6).toString('hex')}${draftSuffix}`)
      // An empty file can be created on a full disk.
      await orUnavailable(writeFile(draft, checkBytes).finally(() => rm(draft, { force: true })))
    },
    async *names() {
      for await (const { name } of await opendir(directory)) {
        if (isBlobName(name)) yield name
      }
    },
  }
}

/** Removes drafts of processes that were killed. Another process may still be writing a recent one. */
async function removeStaleDrafts(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    if (!name.endsWith(draftSuffix)) continue
    const path = join(directory, name)
    const found = await stat(path).catch(() => undefined)
    if (found && Date.now() - found.mtimeMs > staleAfterMs) await rm(path, { force: true })
  }
}

/** Errors of the file system are temporary; any other error is a bug. */
async function orUnavailable<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    if (codeOf(error) === undefined) throw error
    throw new FairleadError('SERVICE_UNAVAILABLE', 'Images cannot be stored or read right now.', {
      cause: error,
      retryAfterMs,
    })
  }
}

/** The operating system's name for an error: `ENOSPC`, `EMFILE`. */
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('syscall' in error) || !('code' in error)) return undefined
  return String(error.code)
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
