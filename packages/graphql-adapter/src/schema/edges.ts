import type { Found, Loader } from '@fairlead/core'
import { loaders } from '@fairlead/core/adapter'
import type { GraphqlContext } from '../context.ts'
import { toGraphqlError } from '../errors.ts'
import type { Dynamic, Fields, Projection } from './projection.ts'
import type { TypeNames } from './type-names.ts'

/** A field that refers to a record of another type. */
interface Edge {
  readonly description: string
  readonly loader: Loader<unknown>
  /** The id to load; null for no record. */
  readonly idOf: (parent: Readonly<Record<string, unknown>>) => unknown
}

const model: Edge = {
  description: 'The model that produced this. Null if it is no longer available.',
  loader: loaders.models,
  idOf: ({ model: id }) => id,
}

function ownBudget({ id, budgetUsd }: Readonly<Record<string, unknown>>): unknown {
  return budgetUsd === null ? null : id
}

/** The edges between records, by type and field. REST has no equivalent. */
const edges: Readonly<Record<string, Readonly<Record<string, Edge>>>> = {
  ApiKey: {
    usage: {
      description: 'Its usage this month. Null if it could not be used this month.',
      loader: loaders.keyUsage,
      idOf: ({ id }) => id,
    },
    budget: {
      description: 'What is left of its budget. Null without one.',
      loader: loaders.keyBudgets,
      idOf: ownBudget,
    },
  },
  User: {
    budget: {
      description: 'What is left of the budget. Null without one.',
      loader: loaders.userBudgets,
      idOf: ownBudget,
    },
  },
  CredentialUsage: {
    apiKey: {
      description: 'The API key. Null for sessions.',
      loader: loaders.keys,
      idOf: ({ id }) => id,
    },
  },
  Shipment: {
    user: { description: 'The owner.', loader: loaders.shipmentOwners, idOf: ({ id }) => id },
  },
  Embeddings: { model },
  Generation: { model },
  Image: { model },
}

/** The edges of a type, without those to records of features that the core does not have. */
export function edgesOf(name: string, t: Dynamic, names: TypeNames, projection: Projection): Fields {
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
