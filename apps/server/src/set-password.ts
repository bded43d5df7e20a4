// npm run set-password -- ada@example.com < file-with-the-password
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { FairleadError, setPassword } from '@fairlead/core'
import { argon2Passwords } from '@fairlead/passwords'
import { readConfig } from './config.ts'
import { ConfigError } from './config.ts'
import { openData } from './open-data.ts'

const [email] = process.argv.slice(2)

try {
  if (!email) throw new ConfigError('Say whose: npm run set-password -- ada@example.com')
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
  process.stdout.write(`The password of ${email} is set, and the sessions that the old one opened have ended.\n`)
} catch (error) {
  const known = error instanceof ConfigError || error instanceof FairleadError
  process.stderr.write(`${known ? error.message : String(error)}\n`)
  process.exitCode = 1
}

/** The password comes on standard input, where no list of processes and no history of a shell shows it. */
async function firstLine(): Promise<string> {
  const { isTTY: typed } = process.stdin
  // A terminal shows what is typed unless something else does: here something that shows nothing.
  const lines = createInterface({ input: process.stdin, ...(typed && { output: nowhere(), terminal: true }) })
  if (typed) process.stderr.write('The new password, then Enter (it is not shown as you type): ')
  for await (const line of lines) {
    if (typed) process.stderr.write('\n')
    return line
  }
  throw new ConfigError('Send the password on standard input.')
}

function nowhere(): Writable {
  return new Writable({ write: (_text, _encoding, done) => done() })
}
