import { LRUCache } from 'lru-cache'
import type { RuntimeView, RuntimeTransaction } from '../runtime/stores.ts'
import { type UndoLog, purgeOldest } from '../runtime/memory-stores.ts'

/** What is known of a kept image, beside its bytes. */
export interface Image {
  readonly id: string
  /** Null where an embedding program made it for itself. */
  readonly userId: string | null
  readonly model: string
  /** Milliseconds since the epoch. */
  readonly createdAt: number
}

/** Keeps the bytes of images. */
export interface Blobs {
  /** Resolves when the bytes would survive a crash. */
  put(name: string, bytes: Uint8Array): Promise<void>
  /** The bytes, or undefined where there are none under that name. */
  get(name: string): Promise<Uint8Array | undefined>
  delete(name: string): Promise<void>
  /** Rejects unless bytes could be put now. Default: they can. */
  check?(): Promise<void>
  /** The names of all, in no order. */
  names(): AsyncIterable<string>
}

/** Blobs in memory, gone with the process. When they outgrow the bound, those not read for longest go first. */
export function memoryBlobs({ maxBytes = 64 * 1024 * 1024 }: { readonly maxBytes?: number } = {}): Blobs {
  const blobs = new LRUCache<string, Uint8Array>({ maxSize: maxBytes, sizeCalculation: ({ byteLength }) => byteLength })
  return {
    async put(name, bytes) {
      if (bytes.byteLength > maxBytes)
        throw new RangeError(`a blob of ${bytes.byteLength} bytes does not fit in memory`)
      blobs.set(name, bytes)
    },
    get: async (name) => blobs.get(name),
    delete: async (name) => void blobs.delete(name),
    async *names() {
      yield* blobs.keys()
    },
  }
}

export interface ImageView {
  find(id: string): Promise<Image | undefined>
  /** Those of the ids that no image has. */
  missing(ids: readonly string[]): Promise<readonly string[]>
}

export interface ImageStore extends ImageView {
  /** Adding the same again changes nothing. */
  add(image: Image): Promise<void>
  /** Removes images made before that instant, the oldest first, at most `limit`, and tells which. */
  purge(before: number, limit: number): Promise<readonly string[]>
  /** Forgets all of a user's images, and tells their ids. */
  removeOfUser(userId: string): Promise<readonly string[]>
}

export function memoryImages(undo: UndoLog): ImageStore {
  const images = new Map<string, Image>()
  return {
    find: async (id) => images.get(id),
    missing: async (ids) => ids.filter((id) => !images.has(id)),
    add: async (image) => undo.set(images, image.id, image),
    purge: async (before, limit) => purgeOldest(undo, images, { before, limit, timeOf: ({ createdAt }) => createdAt }),
    async removeOfUser(userId) {
      const ids = [...images.values()].filter((image) => image.userId === userId).map(({ id }) => id)
      for (const id of ids) undo.delete(images, id)
      return ids
    },
  }
}

/** The records of the gateway that may be read. */
export interface GatewayView extends RuntimeView {
  readonly images: ImageView
}

/** The records of the gateway that may be changed. */
export interface GatewayTransaction extends RuntimeTransaction {
  readonly images: ImageStore
}
