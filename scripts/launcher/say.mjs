import { writeSync } from 'node:fs'

/**
 * Writes a line to standard error, because standard output belongs to the command.
 * @param {string} line
 */
export function say(line) {
  try {
    writeSync(2, `fairlead: ${line}\n`)
  } catch {
    // Nobody reads it: the program that did has ended.
  }
}

/** An error whose message says what to do. It is printed without a stack. */
export class PlainError extends Error {}
