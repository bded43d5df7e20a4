/** Whether an event type matches a pattern: the type itself, `shipment.*`, or `*`. */
export function matchesPattern(type: string, pattern: string): boolean {
  if (pattern === '*') return true
  return pattern.endsWith('.*') ? type.startsWith(pattern.slice(0, -1)) : type === pattern
}

/** Whether an event type matches one of the patterns. */
export function matchesAny(type: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => matchesPattern(type, pattern))
}

/** All patterns that match an event type. */
export function patternsFor(type: string): readonly string[] {
  const groups = [...type.matchAll(/\./g)].map(({ index }) => `${type.slice(0, index)}.*`)
  return [type, ...groups, '*']
}
