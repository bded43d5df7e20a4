import { randomBytes } from 'node:crypto'
import { opendir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { FairleadError } from '@fairlead/core'
import type { Blobs } from '@fairlead/core/stores'
import { isBlobName, requireBlobName } from './blob-name.ts'
import { draftSuffix, makeDirectory, writeWhole } from './whole-file.ts'

/** A draft that is older belongs to a process that was killed, in milliseconds. */
const staleAfterMs = 3_600_000
const retryAfterMs = 1_000
/** The block size of most file systems. */
const checkBytes = new Uint8Array(4_096)

/**
 * Stores each blob in a file, of which no part is visible before it is whole. Rejects with `SERVICE_UNAVAILABLE` where the
 * disk is full or unavailable.
 */
export async function diskBlobs(directory: string): Promise<Blobs> {
  // Anyone who can list the names can fetch the images.
  await makeDirectory(directory)
  await removeStaleDrafts(directory)

  function blobPath(name: string): string {
    return join(directory, requireBlobName(name))
  }

  return {
    async put(name, bytes) {
      const path = blobPath(name)
      await orUnavailable(writeWhole(path, bytes))
    },
    async get(name) {
      const path = blobPath(name)
      return orUnavailable(
        readFile(path).catch((error: unknown) => {
          if (errorCode(error) === 'ENOENT') return undefined
          throw error
        }),
      )
    },
    async delete(names) {
      for (const path of names.map(blobPath)) await orUnavailable(rm(path, { force: true }))
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
    if (errorCode(error) === undefined) throw error
    throw new FairleadError('SERVICE_UNAVAILABLE', 'Images cannot be stored or read right now.', {
      cause: error,
      retryAfterMs,
    })
  }
}

/** The operating system's name for an error: `ENOSPC`, `EMFILE`. */
function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('syscall' in error) || !('code' in error)) return undefined
  return String(error.code)
}
