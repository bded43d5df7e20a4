import { isObject, type JsonSchema } from '@fairlead/core/provider'

const choices = ['anyOf', 'oneOf'] as const
/** Keywords that APIs reject at the root of a tool's schema, beside those that are joined. */
const rejected = ['enum', 'const', 'not', 'if', 'then', 'else']

/**
 * A tool's schema as APIs take it whose root must be an object alone: OpenAI ("schema must have type 'object' and not have
 * 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level") and Anthropic ("input_schema does not support oneOf, allOf, or
 * anyOf at the top level"). The properties of alternatives are joined, and what only some of them require is optional.
 *
 * @param changed receives the keywords that the model no longer sees
 */
export function toObjectSchema(schema: JsonSchema, changed: string[]): JsonSchema {
  const { allOf, anyOf, oneOf, ...others } = schema as Readonly<Record<string, unknown>>
  let properties = objectIn(others['properties'])
  let required = namesIn(others['required'])
  for (const branch of branchesIn(allOf)) {
    properties = { ...objectIn(branch['properties']), ...properties }
    required = [...new Set([...required, ...namesIn(branch['required'])])]
  }
  for (const alternatives of [anyOf, oneOf].map(branchesIn)) {
    for (const branch of alternatives) properties = { ...objectIn(branch['properties']), ...properties }
    const [first, ...rest] = alternatives.map((branch) => namesIn(branch['required']))
    const shared = (first ?? []).filter((name) => rest.every((names) => names.includes(name)))
    required = [...new Set([...required, ...shared])]
  }
  changed.push(...['allOf', ...choices, ...rejected].filter((keyword) => keyword in schema))
  const kept = Object.entries(others).filter(([keyword]) => !rejected.includes(keyword))
  return { ...Object.fromEntries(kept), type: 'object', properties, ...(required.length > 0 && { required }) }
}

function branchesIn(value: unknown): readonly JsonSchema[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

function objectIn(value: unknown): JsonSchema {
  return isObject(value) ? value : {}
}

function namesIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((name) => typeof name === 'string') : []
}
