import { readdirSync, readFileSync } from 'node:fs'
import { packageFolder } from '../../package-folder.ts'

/** Grammars, word lists, and jokes. They are read on first use. */
const folder = new URL('scribe/', packageFolder)

export function readText(file: string): string {
  return readFileSync(new URL(file, folder), 'utf8')
}

export function readJson(file: string): unknown {
  return JSON.parse(readText(file))
}

/** The text files of a folder, in the order of their names. */
export function readTexts(of: string): string[] {
  const files = readdirSync(new URL(of, folder)).filter((file) => file.endsWith('.txt'))
  return files.sort().map((file) => readText(`${of}/${file}`))
}
