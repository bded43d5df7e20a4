import type { Operation } from '@fairlead/core'
import type { Builder } from '../builder.ts'
import type { Projection } from '../projection/projection.ts'

/** A schema in the making. */
export interface Draft {
  readonly builder: Builder
  readonly projection: Projection
}

/** `createShipment` is `CreateShipment`. */
export function typeName({ name }: Pick<Operation, 'name'>): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}
