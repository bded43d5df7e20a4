import { readFileSync } from 'node:fs'

/** Reads a file of the package's folder `data`. */
export function readData(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`../data/${name}.json`, import.meta.url), 'utf8'))
}
