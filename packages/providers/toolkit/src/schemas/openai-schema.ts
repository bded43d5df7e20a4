import { isObject, type JsonSchema } from '@fairlead/core/provider'
import { toObjectSchema } from './object-schema.ts'

/**
 * The schema of a function as OpenAI takes it: each object names its properties ("object schema missing properties"), each
 * array its items ("array schema missing items"), and the root is an object alone.
 *
 * @param changed receives the keywords that the model no longer sees
 */
export function toFunctionSchema(schema: JsonSchema, changed: string[]): JsonSchema {
  return completed(toObjectSchema(schema, changed)) as JsonSchema
}

function completed(schema: unknown): unknown {
  if (!isObject(schema)) return schema
  const entries = Object.entries(schema).map(([keyword, value]): [string, unknown] => {
    if (maps.has(keyword) && isObject(value)) {
      return [keyword, Object.fromEntries(Object.entries(value).map(([name, each]) => [name, completed(each)]))]
    }
    if (lists.has(keyword) && Array.isArray(value)) return [keyword, value.map(completed)]
    return [keyword, keyword === 'items' ? completed(value) : value]
  })
  const types = [schema['type']].flat()
  if (types.includes('object') && !('properties' in schema)) entries.push(['properties', {}])
  if (types.includes('array') && !('items' in schema)) entries.push(['items', {}])
  return Object.fromEntries(entries)
}

const maps = new Set(['properties', '$defs', 'definitions'])
const lists = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems'])

/** Keywords of the strict subset that hold no schema (OpenAI docs: "Structured outputs", supported schemas). */
const plain = new Set([
  '$schema',
  'type',
  'title',
  'description',
  'enum',
  'const',
  'required',
  'pattern',
  'multipleOf',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'minItems',
  'maxItems',
])
const formats = new Set(['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid'])

/**
 * The fault that keeps a schema out of the strict subset, such as `oneOf of properties.city`; undefined if there is
 * none. In the subset, every object requires all of its properties and allows no others, every schema has a type, and
 * the root is an object.
 */
export function outsideStrict(schema: JsonSchema): string | undefined {
  if (schema['type'] !== 'object') return 'a root that is not an object'
  if ('anyOf' in schema) return 'anyOf of the root'
  return firstOutside(schema, '')
}

function firstOutside(schema: unknown, path: string): string | undefined {
  const at = path === '' ? 'the root' : path
  if (!isObject(schema)) return `${JSON.stringify(schema)} as ${at}`
  if ('$ref' in schema) return Object.keys(schema).length === 1 ? undefined : `$ref with other keywords of ${at}`
  if (!('type' in schema) && !Array.isArray(schema['anyOf'])) return `a missing type of ${at}`
  const within = (name: string) => (path === '' ? name : `${path}.${name}`)
  if ([schema['type']].flat().includes('object')) {
    const { properties = {}, required, additionalProperties } = schema
    const optional = Object.keys(properties as object).find(
      (name) => !Array.isArray(required) || !required.includes(name),
    )
    if (optional !== undefined) return `an optional property ${within(`properties.${optional}`)}`
    if (additionalProperties !== false) return `additionalProperties of ${at}`
  }
  for (const [keyword, value] of Object.entries(schema)) {
    const nested = outsideKeyword(keyword, value, within(keyword))
    if (nested === keyword) return `${keyword} of ${at}`
    if (nested !== undefined) return nested
  }
  return undefined
}

/** @returns the keyword itself if the subset does not have it */
function outsideKeyword(keyword: string, value: unknown, path: string): string | undefined {
  if (plain.has(keyword) || keyword === 'additionalProperties') return undefined
  if (keyword === 'format') return formats.has(String(value)) ? undefined : keyword
  if (keyword === 'items') return firstOutside(value, path)
  const schemas =
    maps.has(keyword) && isObject(value) ? value : keyword === 'anyOf' && Array.isArray(value) ? value : undefined
  if (!schemas) return keyword
  return Object.entries(schemas)
    .map(([name, each]) => firstOutside(each, `${path}.${name}`))
    .find((found) => found !== undefined)
}
