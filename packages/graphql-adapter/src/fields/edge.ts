import type { LookUp } from '@fairlead/core'
import type { GraphqlContext } from '../context.ts'
import { toGraphqlError } from '../error-extensions.ts'
import type { Dynamic } from '../projection/dynamic.ts'

/** Where an edge leads, and from where. */
export interface EdgeOptions {
  readonly type: Dynamic
  readonly description: string
  readonly lookUp: LookUp<unknown>
  /** The id that is looked up; null where the edge leads nowhere. */
  readonly from: (parent: Readonly<Record<string, unknown>>) => unknown
}

/** A field that leads to another record. All edges of one kind at one level are one look-up, in the caller's name. */
export function edge(t: Dynamic, { type, description, lookUp, from }: EdgeOptions): Dynamic {
  return t.loadable({
    type,
    nullable: true,
    description,
    load: (ids: readonly string[], context: GraphqlContext) => findAll(context, lookUp, ids),
    resolve: (parent: Readonly<Record<string, unknown>>) => from(parent),
  })
}

async function findAll(
  { core, credentials, requestId }: GraphqlContext,
  lookUp: LookUp<unknown>,
  ids: readonly string[],
): Promise<readonly unknown[]> {
  const reply = await core.lookUp(lookUp, await credentials, ids, requestId)
  if (!reply.success) throw toGraphqlError(reply)
  return reply.found.map((found) => {
    if (found?.version === undefined) return found?.data ?? null
    return { ...(found.data as object), version: found.version }
  })
}
