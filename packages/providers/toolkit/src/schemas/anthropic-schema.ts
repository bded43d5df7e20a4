import { isObject, type JsonSchema } from '@fairlead/core/provider'

/** Keywords that structured outputs support (Claude docs: "Structured outputs", JSON Schema limitations). */
const taken = new Set([
  'type',
  'enum',
  'const',
  'description',
  'title',
  'default',
  'format',
  'required',
  '$ref',
  '$defs',
])
const lists = new Set(['anyOf', 'allOf', 'oneOf'])
const maps = new Set(['properties', '$defs', 'definitions'])
const formats = new Set(['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'uri', 'ipv4', 'ipv6', 'uuid'])

/**
 * A schema in the subset that the API supports. Constraints that it can't check, such as ranges and lengths, move to
 * the description, where the model reads them. Objects are closed, as the API requires.
 *
 * @param moved receives the keywords that moved
 */
export function toOutputSchema(schema: JsonSchema, moved: string[] = []): JsonSchema {
  const subschema = (each: unknown) => (isObject(each) ? toOutputSchema(each, moved) : each)
  const kept: Record<string, unknown> = {}
  const left: string[] = []
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === '$schema' || (keyword === 'additionalProperties' && !isObject(value))) continue
    if (lists.has(keyword) && Array.isArray(value)) kept[keyword === 'oneOf' ? 'anyOf' : keyword] = value.map(subschema)
    else if (keyword === 'items' && isObject(value)) kept[keyword] = subschema(value)
    else if (maps.has(keyword) && isObject(value)) {
      kept[keyword] = Object.fromEntries(Object.entries(value).map(([name, each]) => [name, subschema(each)]))
    } else if (isTaken(keyword, value)) kept[keyword] = value
    else {
      moved.push(keyword)
      left.push(`${keyword}: ${JSON.stringify(value)}`)
    }
  }
  if ([schema.type].flat().includes('object')) kept.additionalProperties = false
  if (left.length === 0) return kept
  const description = typeof kept.description === 'string' ? `${kept.description} ` : ''
  return { ...kept, description: `${description}(${left.join(', ')})` }
}

function isTaken(keyword: string, value: unknown): boolean {
  if (keyword === 'format') return formats.has(String(value))
  if (keyword === 'minItems') return value === 0 || value === 1
  return taken.has(keyword)
}
