import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Creates a directory and its parents, readable by their owner alone. Rejects where one cannot be created. The recursive
 * `mkdir` of Node 24 retries for ever where a parent exists and answers ENOENT, as `/proc` does.
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
