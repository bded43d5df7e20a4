import { open } from 'node:fs/promises'

/** Makes it durable that files came, went or got another name (fsync(2), notes). Windows can't sync a directory, and needs not. */
export async function syncDirectory(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const directory = await open(path, 'r')
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}
