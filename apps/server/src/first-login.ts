import { rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'

/** In the data directory. */
const fileName = 'first-login.txt'

/**
 * Returns what the first start prints: the whole text on a terminal. Logs are kept and read by others, so elsewhere the text
 * with the API key goes to a file that only its owner can read, and the output names it.
 */
export async function announceFirstLogin(
  text: string,
  {
    email,
    dataDirectory,
    isTerminal,
  }: { readonly email: string; readonly dataDirectory: string; readonly isTerminal: boolean },
): Promise<string> {
  if (isTerminal) return text
  const path = resolve(join(dataDirectory, fileName))
  try {
    // The mode applies to a new file only.
    await rm(path, { force: true })
    await writeFile(path, text, { flag: 'wx', mode: 0o600, flush: true })
  } catch {
    // The key exists nowhere else.
    return text
  }
  return (
    `Created the admin ${email}. Its API key, and a link that logs in once, are in ${path}. ` +
    'Delete the file when you have stored the key.\n'
  )
}
