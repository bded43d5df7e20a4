import { setImmediate as nextTurn } from 'node:timers/promises'
import type { OpenapiDocument } from './openapi-object.ts'

/** Writes the document as JSON. */
export async function writeJson(document: OpenapiDocument): Promise<string> {
  return JSON.stringify(document, null, 2)
}

/** Writes the document as YAML. Each path, webhook and schema gets a turn of the event loop, because all of them take 300 ms. */
export async function writeYaml(document: OpenapiDocument): Promise<string> {
  const { stringify } = await import('yaml')
  const parts: string[] = []

  async function write(keys: readonly string[], value: unknown, depth: number): Promise<void> {
    if (depth > 0 && isMap(value)) {
      parts.push(heading(keys))
      for (const [key, member] of Object.entries(value)) await write([...keys, key], member, depth - 1)
      return
    }
    await nextTurn()
    const nested = keys.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value)
    const text = stringify(nested, { aliasDuplicateObjects: false, lineWidth: 0 })
    // The lines of the keys above it are written already.
    parts.push(
      text
        .split('\n')
        .slice(keys.length - 1)
        .join('\n'),
    )
  }

  /** The line of the last key. */
  function heading(keys: readonly string[]): string {
    const nested = keys.reduceRight<unknown>((inner, key) => ({ [key]: inner }), { x: 0 })
    return `${stringify(nested).split('\n')[keys.length - 1]}\n`
  }

  for (const [key, value] of Object.entries(document)) await write([key], value, key === 'components' ? 2 : 1)
  return parts.join('')
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0
}
