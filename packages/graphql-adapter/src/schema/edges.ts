import type { Edge, Edges, Found, Loader } from '@fairlead/core'
import type { GraphqlContext } from '../context.ts'
import { toGraphqlError } from '../errors.ts'
import type { Dynamic, Fields, Projection } from './projection.ts'
import type { TypeNames } from './type-names.ts'

/** The edges of a type, without those to records of features that the core does not have. */
export function edgeFields(edges: Edges, name: string, t: Dynamic, names: TypeNames, projection: Projection): Fields {
  const found = Object.entries(edges[name] ?? {}).filter(([, { loader }]) => names.has(loader.output))
  return Object.fromEntries(found.map(([field, edge]) => [field, edgeField(t, edge, projection)]))
}

/** All edges of one field at one level are loaded together, with the caller's credentials. */
export function edgeField(t: Dynamic, { description, loader, idOf }: Edge, projection: Projection): Dynamic {
  return t.loadable({
    type: projection.outputType(loader.output),
    nullable: true,
    description,
    load: (ids: readonly string[], context: GraphqlContext) => loadAll(context, loader, ids),
    resolve: idOf,
  })
}

async function loadAll(
  { core, credentials, requestId }: GraphqlContext,
  loader: Loader<unknown>,
  ids: readonly string[],
): Promise<readonly unknown[]> {
  const reply = await core.load(loader, await credentials, ids, requestId)
  if (!reply.success) throw toGraphqlError(reply)
  return reply.found.map((found) => (found ? withVersion(found as Found<object>) : null))
}

export function withVersion({ data, version }: Found<object>): object {
  return version === undefined ? data : { ...data, version }
}
