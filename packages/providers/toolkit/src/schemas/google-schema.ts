import { isObject, type JsonSchema } from '@fairlead/core/provider'

/** Keywords whose value is a schema or a list of schemas. */
const nested: ReadonlySet<string> = new Set(['items', 'prefixItems', 'additionalProperties', 'anyOf', 'oneOf', 'allOf'])
/** Keywords whose value has a schema for each name. */
const named: ReadonlySet<string> = new Set(['properties', '$defs', 'definitions'])

/**
 * A schema, with each `const` as an `enum` of one value: the API supports no `const`
 * (https://ai.google.dev/gemini-api/docs/structured-output).
 */
export function toGoogleSchema(schema: JsonSchema): JsonSchema {
  const entries = Object.entries(schema).map(([keyword, value]): [string, unknown] => {
    if (keyword === 'const') return ['enum', [value]]
    if (nested.has(keyword)) return [keyword, Array.isArray(value) ? value.map(subschema) : subschema(value)]
    if (named.has(keyword) && isObject(value)) {
      return [keyword, Object.fromEntries(Object.entries(value).map(([name, each]) => [name, subschema(each)]))]
    }
    return [keyword, value]
  })
  return Object.fromEntries(entries)
}

/** A schema may also be `true` or `false`. */
function subschema(value: unknown): unknown {
  return isObject(value) ? toGoogleSchema(value) : value
}
