import { type Schema, Validator } from '@cfworker/json-schema'
import type { ResponseFormat } from './conversation.ts'

/** A JSON text, and whether it follows its format. */
export interface CheckedJson {
  /** With line breaks and indents, if it is JSON. */
  readonly text: string
  readonly isValid: boolean
  /** Why not. */
  readonly issues: readonly string[]
}

const maxIssues = 5

export function checkJson(text: string, { type, schema }: ResponseFormat): CheckedJson {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { text, isValid: false, issues: ['The text is not JSON.'] }
  }
  const pretty = JSON.stringify(value, undefined, 2)
  if (type === 'json_schema' && schema) {
    const issues = schemaIssues(schema, value)
    return { text: pretty, isValid: issues.length === 0, issues }
  }
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return { text: pretty, isValid: isObject, issues: isObject ? [] : ['The value is not an object.'] }
}

function schemaIssues(schema: object, value: unknown): readonly string[] {
  try {
    const { errors } = new Validator(schema as Schema, '2020-12', false).validate(value)
    // The error of an object repeats the errors of its fields.
    const causes = errors.filter(({ keyword }) => keyword !== 'properties' && keyword !== 'items' && keyword !== '$ref')
    return causes.slice(0, maxIssues).map(({ instanceLocation, error }) => `${toPath(instanceLocation)}: ${error}`)
  } catch (error) {
    return [`The schema cannot be checked: ${error instanceof Error ? error.message : String(error)}`]
  }
}

/** `#/born/0` as `born.0`. */
function toPath(pointer: string): string {
  return pointer.replace(/^#\/?/, '').replaceAll('/', '.') || 'The value'
}
