import { readFileSync, statSync } from 'node:fs'
import { findIssues } from '@fairlead/core/server'
import { parse } from 'yaml'
import type * as z from 'zod'
import { CommandError } from '../command-error.ts'

/** The parser takes a minute for 50 MB. */
const maxBytes = 1_000_000

/**
 * Reads a file in YAML or JSON. Throws an error that names each invalid field.
 *
 * @param prepare applied to the document before it is checked
 */
export function readDocument<Schema extends z.ZodObject>(
  path: string,
  schema: Schema,
  prepare = (document: unknown) => document,
): z.output<Schema> {
  const value = prepare(parseYaml(path))
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new CommandError(`${path} must be an object with settings`)
  }
  const issues = findIssues(schema, value)
  if (issues.length > 0) {
    throw new CommandError(issues.map(({ field, issue }) => `${path}: ${field ?? 'the document'} ${issue}`).join('\n'))
  }
  return schema.parse(value)
}

/** LiteLLM reads YAML 1.1, in which `80_000` is a number. JSON is YAML too. */
function parseYaml(path: string): unknown {
  const text = readText(path)
  try {
    return parse(text, { version: '1.1', logLevel: 'error' })
  } catch (error) {
    throw new CommandError(`${path} is not valid YAML: ${(error as Error).message.trim()}`)
  }
}

function readText(path: string): string {
  try {
    if (statSync(path).size > maxBytes) throw new CommandError(`${path} is larger than 1 MB.`)
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof CommandError) throw error
    throw new CommandError(`${path} cannot be read: ${(error as NodeJS.ErrnoException).code}`)
  }
}
