const maxDepth = 64

/** What is wrong, and where. */
export interface UnsafeText {
  readonly path: readonly PropertyKey[]
  readonly issue: string
}

/**
 * Finds what no store could keep alike: NUL and lone surrogates (PostgreSQL refuses them, SQLite would keep them), and
 * nesting so deep that a serializer could run out of stack.
 */
export function findUnsafeText(value: unknown): UnsafeText | undefined {
  const path: PropertyKey[] = []
  const issue = issueIn(value, path)
  return issue === undefined ? undefined : { path, issue }
}

/** @param path where the value stands; left there where an issue was found */
function issueIn(value: unknown, path: PropertyKey[]): string | undefined {
  if (typeof value === 'string') return issueOfText(value)
  if (typeof value !== 'object' || value === null) return undefined
  if (path.length === maxDepth) return `must not be nested deeper than ${maxDepth} levels`
  const isArray = Array.isArray(value)
  for (const key of isArray ? value.keys() : Object.keys(value)) {
    const issueOfKey = typeof key === 'string' ? issueOfName(key) : undefined
    if (issueOfKey !== undefined) return issueOfKey
    path.push(key)
    const issue = issueIn((value as Readonly<Record<PropertyKey, unknown>>)[key], path)
    if (issue !== undefined) return issue
    path.pop()
  }
  return undefined
}

function issueOfName(name: string): string | undefined {
  return name === '__proto__' ? 'must not have a field called __proto__' : issueOfText(name)
}

function issueOfText(text: string): string | undefined {
  if (text.includes('\0')) return 'must not contain NUL characters'
  if (!text.isWellFormed()) return 'must be well-formed Unicode, without lone surrogates'
  return undefined
}
