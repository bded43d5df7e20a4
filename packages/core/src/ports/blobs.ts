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
