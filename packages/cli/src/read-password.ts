import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { CommandError } from './command-error.ts'

/** The first line of standard input, so that the password appears in no process list and no shell history. */
export async function readPassword(): Promise<string> {
  const { isTTY: typed } = process.stdin
  // Echo to a sink: the terminal itself would show the password.
  const lines = createInterface({ input: process.stdin, ...(typed && { output: discard(), terminal: true }) })
  if (typed) process.stderr.write('Password (not shown): ')
  for await (const line of lines) {
    if (typed) process.stderr.write('\n')
    return line
  }
  throw new CommandError('Pass the password on standard input.')
}

function discard(): Writable {
  return new Writable({ write: (_text, _encoding, done) => done() })
}
