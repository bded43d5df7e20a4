import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FairleadCore } from '@fairlead/core/adapter'
import type { Blobs } from '@fairlead/core/stores'
import { type Stores, diskBlobs } from '@fairlead/storage'
import type { Config } from './config.ts'
import { createRandomFile, hasCode } from './random-file.ts'

/** Where the images of a node are. */
export interface ImageStorage {
  readonly blobs: Blobs
  /** For people: the path of a folder, or `s3://bucket/prefix`. */
  readonly name: string
  /** Equal on all nodes that share the images. Undefined if a folder cannot be read, which readiness reports. */
  id(): Promise<string | undefined>
}

/** Opens the bucket that the configuration names, or else the folder in the data directory. */
export async function openImageStorage({
  s3,
  dataDirectory,
}: Pick<Config, 's3' | 'dataDirectory'>): Promise<ImageStorage> {
  if (s3) {
    const { s3Blobs } = await import('@fairlead/storage/s3')
    const name = `s3://${s3.bucket}/${s3.prefix}`
    return { blobs: s3Blobs(s3), name, id: async () => name }
  }
  const folder = join(dataDirectory, 'images')
  const blobs = await diskBlobs(folder)
  let id: string | undefined
  return { blobs, name: folder, id: async () => (id ??= await folderId(folder).catch(() => undefined)) }
}

const setting = 'image_storage'

/**
 * Compares the images of this node with the images of the other nodes of its database, which keeps the id of the first
 * node's storage. Resolves to the reason if they differ: each node would then find only its own images. Without models
 * that generate images, and without images, there is nothing to share.
 */
export async function differingImages(
  { offersImages }: Pick<FairleadCore, 'offersImages'>,
  stores: Stores,
  storage: ImageStorage,
): Promise<string | undefined> {
  if (!(await offersImages()) && (await stores.read((view) => view.images.isEmpty()))) return undefined
  const id = await storage.id()
  if (id === undefined) return undefined
  const shared = (await stores.read((view) => view.settings.get(setting))) ?? (await shareFirst(stores, id))
  if (shared === id) return undefined
  return (
    `The images of this node are in ${storage.name}, and those of the other nodes elsewhere: give all nodes one shared ` +
    'folder or FAIRLEAD_S3_BUCKET, or run "fairlead accept-images" on this node if its images are the right ones.'
  )
}

/** Two nodes may start at the same time: the first one decides. */
function shareFirst(stores: Stores, id: string): Promise<string> {
  return stores.transact(async (tx) => {
    await tx.lock(setting)
    const shared = await tx.settings.get(setting)
    if (shared === undefined) await tx.settings.set(setting, id)
    return shared ?? id
  })
}

/** Makes this node's images the ones that all nodes must have. A node with others is not ready from then on. */
export async function acceptImages(stores: Stores, storage: ImageStorage): Promise<void> {
  const id = await storage.id()
  if (id === undefined) throw new Error(`${storage.name} cannot be written`)
  await stores.transact((tx) => tx.settings.set(setting, id))
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
