import { setImmediate as nextTurn } from 'node:timers/promises'
import { isObject, type JsonObject } from '@fairlead/core/provider'
import type { OpenapiDocument } from './openapi-object.ts'

/** Writes the document as YAML. Each path, webhook and schema gets a turn of the event loop, because all of them take 300 ms. */
export async function writeYaml(document: OpenapiDocument): Promise<string> {
  const { stringify } = await import('yaml')
  const parts: string[] = []

  async function write(keys: readonly string[], value: unknown, depth: number): Promise<void> {
    if (depth > 0 && isMap(value)) {
      // The line of the last key.
      parts.push(`${writeLines(keys, { x: 0 })[0]}\n`)
      for (const [key, member] of Object.entries(value)) await write([...keys, key], member, depth - 1)
      return
    }
    await nextTurn()
    parts.push(writeLines(keys, value).join('\n'))
  }

  /** The lines of a value from its last key on: the keys above it are written already. */
  function writeLines(keys: readonly string[], value: unknown): readonly string[] {
    const nested = keys.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value)
    const text = stringify(nested, { aliasDuplicateObjects: false, lineWidth: 0 })
    return text.split('\n').slice(keys.length - 1)
  }

  for (const [key, value] of Object.entries(document)) await write([key], value, key === 'components' ? 2 : 1)
  return parts.join('')
}

function isMap(value: unknown): value is JsonObject {
  return isObject(value) && Object.keys(value).length > 0
}
