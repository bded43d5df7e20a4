import { randomBytes } from 'node:crypto'
import { link, open, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Creates a file of 64 random hexadecimal digits, or returns the digits of one that was created meanwhile. It is
 * written to a temporary file and linked into place, so that processes that start together all read the same complete
 * text.
 */
export async function createRandomFile(path: string): Promise<string> {
  const text = randomBytes(32).toString('hex')
  const draft = `${path}.${randomBytes(6).toString('hex')}.part`
  try {
    await writeFile(draft, `${text}\n`, { flag: 'wx', mode: 0o600, flush: true })
    await link(draft, path)
    await syncDirectory(dirname(path))
    return text
  } catch (error) {
    const theirs = hasCode(error, 'EEXIST') ? (await readFile(path, 'utf8')).trim() : undefined
    if (theirs === undefined) throw error
    return theirs
  } finally {
    await rm(draft, { force: true })
  }
}

/** Makes the name of a new file durable. Windows cannot sync a directory, and does not need to. */
export async function syncDirectory(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const directory = await open(path, 'r')
  await directory.sync().finally(() => directory.close())
}

export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
