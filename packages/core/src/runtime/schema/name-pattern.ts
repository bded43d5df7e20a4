/** Whether a pattern matches a name. `*` stands for any text, also none. */
export function matchesName(pattern: string, name: string): boolean {
  const [start = '', ...parts] = pattern.split('*')
  const end = parts.pop()
  if (end === undefined) return pattern === name
  if (name.length < start.length + end.length || !name.startsWith(start) || !name.endsWith(end)) return false
  let at = start.length
  const last = name.length - end.length
  for (const part of parts) {
    const found = name.indexOf(part, at)
    if (found < 0 || found + part.length > last) return false
    at = found + part.length
  }
  return true
}

/** Whether one of the patterns matches every name that another pattern matches. */
export function coversPattern(patterns: readonly string[], other: string): boolean {
  // A `*` of the other pattern can only be part of the text that a `*` stands for.
  return patterns.some((pattern) => matchesName(pattern, other))
}

/** Whether one of the patterns matches one of the names. */
export function matchesAny(patterns: readonly string[], names: readonly string[]): boolean {
  return patterns.some((pattern) => names.some((name) => matchesName(pattern, name)))
}
