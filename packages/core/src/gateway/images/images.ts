import { LRUCache } from 'lru-cache'
import type { RuntimeStores, RuntimeView, RuntimeTransaction } from '../../runtime/stores/stores.ts'
import { MemoryTable, type UndoLog } from '../../runtime/stores/memory-table.ts'

/** The record of a stored image. */
export interface ImageRow {
  readonly id: string
  /** Null if an embedding program generated it without an account. */
  readonly userId: string | null
  /** The user who pays for the project, toward whose images it counts. Null: it counts toward its owner's images. */
  readonly payer: string | null
  /** The size of the file. */
  readonly bytes: number
  readonly model: string
  /** Milliseconds since the epoch. */
  readonly createdAt: number
}

/** Stores the bytes of images. */
export interface Blobs {
  /** Resolves when the bytes are durable. */
  put(name: string, bytes: Uint8Array): Promise<void>
  /** Resolves to undefined if the name is unknown. */
  get(name: string): Promise<Uint8Array | undefined>
  /** Ignores unknown names. */
  delete(names: readonly string[]): Promise<void>
  /** Rejects if the storage is not writable. Default: always writable. */
  check?(): Promise<void>
  /** All names, in no particular order. */
  names(): AsyncIterable<string>
}

/** Blobs in memory. Above `maxBytes`, the least recently used are evicted. */
export function memoryBlobs({ maxBytes = 64 * 1024 * 1024 }: { readonly maxBytes?: number } = {}): Blobs {
  const blobs = new LRUCache<string, Uint8Array>({ maxSize: maxBytes, sizeCalculation: ({ byteLength }) => byteLength })
  return {
    async put(name, bytes) {
      if (bytes.byteLength > maxBytes)
        throw new RangeError(`a blob of ${bytes.byteLength} bytes does not fit in memory`)
      blobs.set(name, bytes)
    },
    get: async (name) => blobs.get(name),
    async delete(names) {
      for (const name of names) blobs.delete(name)
    },
    async *names() {
      yield* blobs.keys()
    },
  }
}

export interface ImageView {
  isEmpty(): Promise<boolean>
  find(id: string): Promise<ImageRow | undefined>
  /** The given ids that no image has. */
  missing(ids: readonly string[]): Promise<readonly string[]>
  /** The bytes of the images that count toward a user or a project. */
  bytesOf(account: string): Promise<number>
}

export interface ImageStore extends ImageView {
  /** Idempotent. */
  add(image: ImageRow): Promise<void>
  /** Removes at most `limit` images created before an instant, the oldest first, and returns their ids. */
  purge(before: number, limit: number): Promise<readonly string[]>
  /** Removes all images of a user, and returns their ids. */
  removeOfUser(userId: string): Promise<readonly string[]>
}

export function memoryImages(undo: UndoLog): ImageStore {
  const images = new MemoryTable<ImageRow>(undo)
  return {
    isEmpty: async () => images.size === 0,
    find: async (id) => images.get(id),
    missing: async (ids) => ids.filter((id) => !images.has(id)),
    bytesOf: async (account) =>
      images.filter(({ payer, userId }) => (payer ?? userId) === account).reduce((sum, { bytes }) => sum + bytes, 0),
    add: async (image) => void images.set(image.id, image),
    purge: async (before, limit) => images.purge(before, limit, ({ createdAt }) => createdAt),
    async removeOfUser(userId) {
      const ids = images.filter((image) => image.userId === userId).map(({ id }) => id)
      for (const id of ids) images.delete(id)
      return ids
    },
  }
}

/** The stores of the gateway's records. */
export type GatewayStores = RuntimeStores<GatewayView, GatewayTransaction>

/** Read access to the gateway's records. */
export interface GatewayView extends RuntimeView {
  readonly images: ImageView
}

/** Write access to the gateway's records. */
export interface GatewayTransaction extends RuntimeTransaction {
  readonly images: ImageStore
}
