import type { JsonSchema } from '@fairlead/core/provider'

/**
 * Whether servers can enforce a schema: every object requires all of its properties and allows no others (OpenAI,
 * structured outputs, supported schemas). Servers follow any other schema on a best-effort basis.
 */
export function isStrictSchema(schema: JsonSchema): boolean {
  const { properties, required, additionalProperties } = schema
  if (schema['type'] === 'object' || properties !== undefined) {
    const names = Object.keys((properties ?? {}) as object)
    const requiresAll = Array.isArray(required) && names.every((name) => required.includes(name))
    if (!requiresAll || additionalProperties !== false) return false
  }
  return Object.entries(schema).every(([name, value]) => name === 'enum' || name === 'const' || isStrictPart(value))
}

function isStrictPart(part: unknown): boolean {
  if (Array.isArray(part)) return part.every(isStrictPart)
  if (typeof part !== 'object' || part === null) return true
  return isStrictSchema(part as JsonSchema)
}
