import type { Operation, RestRoute } from '@fairlead/core'

/** An operation, and where REST offers it. It answers under all prefixes, but the one that the route excepts. */
export interface Route extends RestRoute {
  readonly operation: Operation
}

/** The routes that operations declare. */
export function routesOf(operations: readonly Operation[]): readonly Route[] {
  return operations.flatMap((operation) => (operation.rest ? [{ ...operation.rest, operation }] : []))
}

/** Every path works under each of these. */
export const prefixes = ['', '/v1', '/api/v1'] as const
export type Prefix = (typeof prefixes)[number]
/** The prefix of the quick-start form. */
export const quickStartPrefix: Prefix = '/v1'
