// npm run set-password -- ada@example.com < file-with-the-password
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { FairleadError, setPassword } from '@fairlead/core'
import { argon2Passwords } from '@fairlead/passwords'
import { readConfig, ConfigError } from './config.ts'
import { openData } from './open-data.ts'

const [email] = process.argv.slice(2)

try {
  if (!email) throw new ConfigError('Usage: npm run set-password -- ada@example.com')
  const config = readConfig(process.env)
  const password = await firstLine()
  const { stores } = await openData(config)
  try {
    if (!(await setPassword(stores, argon2Passwords(), { email, password }))) {
      throw new ConfigError(`No user has the email address ${email}.`)
    }
  } finally {
    await stores.close()
  }
  process.stdout.write(`The password of ${email} has been set, and all existing sessions have ended.\n`)
} catch (error) {
  const known = error instanceof ConfigError || error instanceof FairleadError
  process.stderr.write(`${known ? error.message : String(error)}\n`)
  process.exitCode = 1
}

/** Read from standard input, so that it appears in no process list and no shell history. */
async function firstLine(): Promise<string> {
  const { isTTY: typed } = process.stdin
  // Echo to a sink: the terminal itself would show the password.
  const lines = createInterface({ input: process.stdin, ...(typed && { output: discard(), terminal: true }) })
  if (typed) process.stderr.write('New password (not shown): ')
  for await (const line of lines) {
    if (typed) process.stderr.write('\n')
    return line
  }
  throw new ConfigError('Pass the password on standard input.')
}

function discard(): Writable {
  return new Writable({ write: (_text, _encoding, done) => done() })
}
