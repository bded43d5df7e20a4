import { dirname, join, resolve } from 'node:path'
import { makeDirectory, writeWhole } from './whole-file.ts'

/**
 * Files in a folder and its subfolders, for `ndjsonFiles` of `@fairlead/usage-export`. Only their owner can read them. None
 * is visible before it is whole.
 */
export async function diskFiles(directory: string) {
  await makeDirectory(directory)
  return {
    name: `file:${resolve(directory)}`,
    async put(path: string, bytes: Uint8Array): Promise<void> {
      const file = join(directory, path)
      await makeDirectory(dirname(file))
      await writeWhole(file, bytes)
    },
  }
}
