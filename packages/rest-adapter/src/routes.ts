import type { Operation, RestMethod, RestRoute } from '@fairlead/core'

/** An operation, where REST offers it. It answers under all prefixes. */
export interface Route extends RestRoute {
  readonly operation: Operation
}

/** The routes that operations declare. */
export function routesOf(operations: readonly Operation[]): readonly Route[] {
  return operations.flatMap((operation) => (operation.rest ? [{ ...operation.rest, operation }] : []))
}

export type Method = RestMethod

/** The largest body of a route that declares no limit, in bytes. */
export const defaultMaxBodyBytes = 1_048_576

/** The three forms in which the interface document writes paths. */
export const prefixes = ['', '/v1', '/api/v1'] as const
export type Prefix = (typeof prefixes)[number]
/** The prefix of the quick-start form. */
export const quickStartPrefix: Prefix = '/v1'
