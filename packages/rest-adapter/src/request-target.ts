import { FairleadError } from '@fairlead/core'

export interface RequestTarget {
  readonly pathname: string
  /** What follows the first question mark. */
  readonly search: string
}

/**
 * Splits a request target into path and query. The host of the absolute form (RFC 9112, 3.2.2) is ignored, like the `Host`
 * header.
 */
export function requestTarget(url: string): RequestTarget {
  const target = url.replace(/^https?:\/\/[^/?]*/i, '')
  const end = target.indexOf('?')
  const pathname = end < 0 ? target : target.slice(0, end)
  return { pathname: pathname || '/', search: end < 0 ? '' : target.slice(end + 1) }
}

/** The path and query below a base path. A framework that mounts handlers may have removed the base path already. */
export function belowBasePath(url: string, basePath: string): string {
  const { pathname, search } = requestTarget(url)
  const isBelow = pathname === basePath || pathname.startsWith(`${basePath}/`)
  const path = isBelow ? pathname.slice(basePath.length) || '/' : pathname
  return search === '' ? path : `${path}?${search}`
}

/** The fields of a query. A repeated field is a list, which no field with one value accepts. */
export function queryOf(search: string): Record<string, unknown> {
  requireUtf8(search)
  const query: Record<string, unknown> = Object.create(null)
  const parameters = new URLSearchParams(search)
  for (const name of new Set(parameters.keys())) {
    const values = parameters.getAll(name)
    query[name] = values.length === 1 ? values[0] : values
  }
  return query
}

/** `URLSearchParams` would replace other bytes by U+FFFD. */
function requireUtf8(search: string): void {
  try {
    decodeURIComponent(search)
    if (/^[\x21-\x7e]*$/.test(search)) return
  } catch {
    // Reported below.
  }
  throw new FairleadError('INVALID_REQUEST', 'The query must be percent-encoded UTF-8.')
}

/** As many issues are reported; the others would be cut from the message. */
const maxIssues = 100

/** Rejects the query of a request whose fields are in its body. */
export function rejectQuery(search: string): void {
  const issues = Object.keys(queryOf(search)).map((field) => ({
    field,
    issue: 'is not accepted in the query: send it in the body',
  }))
  if (issues.length === 0) return
  throw new FairleadError('INVALID_REQUEST', 'The query must be empty.', { issues: issues.slice(0, maxIssues) })
}
