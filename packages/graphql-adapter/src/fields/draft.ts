import type { Operation } from '@fairlead/core'
import type { Builder } from '../builder.ts'
import type { Projection } from '../projection/projection.ts'
import type { TypeNames } from '../projection/type-names.ts'

/** A schema in the making. */
export interface Draft {
  readonly builder: Builder
  readonly projection: Projection
  readonly names: TypeNames
}

/** The GraphQL root field that an operation declares; throws where it declares none. */
export function rootField({ name, graphql }: Operation): string {
  if (!graphql) throw new TypeError(`${name} declares no GraphQL field`)
  return 'query' in graphql ? graphql.query : graphql.mutation
}
