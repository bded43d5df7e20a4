import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Log } from '@fairlead/core'
import type { Stores } from '@fairlead/core/stores'
import { createRandomFile, hasCode } from './random-file.ts'

const setting = 'image_folder'

/**
 * Logs a warning if the nodes of a database do not share the folder of the images. Each folder has an id, and the database
 * keeps that of the node which started last.
 *
 * @param folder exists
 */
export async function compareImageFolder(stores: Stores, folder: string, log: Log): Promise<void> {
  const id = await folderId(folder).catch(() => undefined)
  // The folder cannot be written, which readiness reports.
  if (id === undefined) return
  const last = await stores.transact(async (tx) => {
    const kept = await tx.settings.get(setting)
    if (kept !== id) await tx.settings.set(setting, id)
    return kept
  })
  if (last === undefined || last === id) return
  log.warn(
    { folder },
    'the last node that started on this database has another image folder, so images of one are missing on the other; ' +
      'mount one shared folder as FAIRLEAD_DATA_DIR on all nodes',
  )
}

/** Images have other names, so the file is not one. */
async function folderId(folder: string): Promise<string> {
  const path = join(folder, 'folder-id')
  try {
    return (await readFile(path, 'utf8')).trim()
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return createRandomFile(path)
    throw error
  }
}
