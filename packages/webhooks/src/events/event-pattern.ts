import { invalidRequest } from '@fairlead/core/adapter'
import { nearest } from '@fairlead/core/feature'
import type { EventType } from '@fairlead/core'

/** Whether an event type matches a pattern: the type itself, `shipment.*`, or `*`. */
export function matchesPattern(type: string, pattern: string): boolean {
  if (pattern === '*') return true
  return pattern.endsWith('.*') ? type.startsWith(pattern.slice(0, -1)) : type === pattern
}

/** The event types that match a pattern; undefined if all do. */
export function typesMatching(pattern: string | undefined, types: readonly EventType[]): readonly string[] | undefined {
  if (pattern === undefined || pattern === '*') return undefined
  return types.map(({ type }) => type).filter((type) => matchesPattern(type, pattern))
}

export function matchesAny(type: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => matchesPattern(type, pattern))
}

/** All patterns that match an event type. */
export function patternsFor(type: string): readonly string[] {
  const groups = [...type.matchAll(/\./g)].map(({ index }) => `${type.slice(0, index)}.*`)
  return [type, ...groups, '*']
}

/** Throws `INVALID_REQUEST` for patterns that match none of the event types. */
export function checkPatterns(patterns: readonly string[], types: readonly EventType[]): void {
  const [first, ...others] = patterns.flatMap((pattern, index) => {
    const issue = patternIssue(pattern, types)
    return issue === undefined ? [] : { field: `events[${index}]`, issue }
  })
  if (!first) return
  // The list of all types is long, so only the first issue has it.
  const end = first.issue.endsWith('?') ? '' : '.'
  const all = types.map(({ type }) => type).join(', ')
  const issue = `${first.issue}${end} Event types: ${all}, groups such as shipment.*, and *`
  throw invalidRequest({ ...first, issue }, ...others)
}

/** Says that a pattern matches none of the event types; undefined if it matches one. */
export function patternIssue(pattern: string, types: readonly EventType[]): string | undefined {
  const names = types.map(({ type }) => type)
  if (names.some((name) => matchesPattern(name, pattern))) return undefined
  const groups = names.map((name) => `${name.slice(0, name.indexOf('.'))}.*`)
  const meant = nearest(pattern, [...names, ...groups])
  return `unknown event type "${pattern}"${meant === undefined ? '' : `; did you mean "${meant}"?`}`
}
