import type { Operation, RestMethod, RestRoute } from '@fairlead/core'

/** An operation, and where REST offers it. It answers under all prefixes, but the one that the route excepts. */
export interface Route extends RestRoute {
  readonly operation: Operation
}

/** The routes that operations declare. */
export function routesOf(operations: readonly Operation[]): readonly Route[] {
  return operations.flatMap((operation) => (operation.rest ? [{ ...operation.rest, operation }] : []))
}

export type Method = RestMethod

/** The maximum body of a route that declares no limit, in bytes. */
export const defaultMaxBodyBytes = 1_048_576

/** Every path works under each of these. */
export const prefixes = ['', '/v1', '/api/v1'] as const
export type Prefix = (typeof prefixes)[number]
/** The prefix of the quick-start form. */
export const quickStartPrefix: Prefix = '/v1'

/** The route that a path matches. */
export interface MatchedPath {
  readonly prefix: Prefix
  /** The routes of the path, by method. */
  readonly routes: ReadonlyMap<Method, Route>
  /** The path with its prefix, and `{name}` for every segment that has one. */
  readonly pattern: string
  /** The path's `{name}` segments, decoded. */
  readonly parameters: Readonly<Record<string, string>>
}

export type FindRoute = (pathname: string) => MatchedPath | undefined

interface Node {
  readonly fixed: Map<string, Node>
  named?: Node
  /** The names of its path's `{name}` segments. */
  names: readonly string[]
  readonly routes: Map<Method, Route>
  path?: string
}

/** Builds a tree of path segments: finding a route takes as many steps as its path has segments. Case matters. */
export function routeFinder(routes: readonly Route[]): FindRoute {
  const root = newNode()
  for (const route of routes) {
    const segments = route.path.slice(1).split('/')
    const end = segments.reduce(addSegment, root)
    end.routes.set(route.method, route)
    end.path ??= route.path
    end.names = segments.filter(isNamed).map((segment) => segment.slice(1, -1))
  }
  return (pathname) => {
    // The longest prefix first, because the empty one matches every path.
    for (const prefix of prefixes.toReversed()) {
      if (!pathname.startsWith(`${prefix}/`)) continue
      const found = findNode(root, pathname.slice(prefix.length + 1).split('/'))
      if (found && ![...found.node.routes.values()].some(({ unlessPrefix }) => unlessPrefix === prefix))
        return { prefix, pattern: prefix + found.node.path, routes: found.node.routes, parameters: found.parameters }
    }
    return undefined
  }
}

function newNode(): Node {
  return { fixed: new Map(), names: [], routes: new Map() }
}

function addSegment(node: Node, segment: string): Node {
  if (isNamed(segment)) return (node.named ??= newNode())
  const next = node.fixed.get(segment) ?? newNode()
  node.fixed.set(segment, next)
  return next
}

type FoundNode = Pick<MatchedPath, 'parameters'> & { readonly node: Node }

function findNode(root: Node, segments: readonly string[]): FoundNode | undefined {
  const values: string[] = []
  let node = root
  for (const segment of segments) {
    const fixed = node.fixed.get(segment)
    if (fixed) {
      node = fixed
    } else if (node.named && segment !== '') {
      const value = decodeSegment(segment)
      if (value === undefined) return undefined
      values.push(value)
      node = node.named
    } else {
      return undefined
    }
  }
  if (node.routes.size === 0) return undefined
  const parameters = Object.fromEntries(node.names.map((name, index) => [name, values[index] ?? '']))
  return { node, parameters }
}

/** Whether a segment of a route is `{name}`. */
function isNamed(segment: string): boolean {
  return segment.startsWith('{')
}

/** A segment without its percent-encoding. Undefined where that is malformed. */
function decodeSegment(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}
