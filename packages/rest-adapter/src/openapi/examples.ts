import type { ErrorCode } from '@fairlead/core'
import kept from './examples.json' with { type: 'json' }

/** A recorded request of an operation and its response. A test compares it with the current response. */
export interface OperationExample {
  readonly request?: unknown
  readonly response?: unknown
  /** The response as server-sent events. */
  readonly events?: string
}

const operations: Readonly<Record<string, OperationExample>> = kept.operations
const failures: Readonly<Partial<Record<ErrorCode, unknown>>> = kept.failures

export function operationExample(operationId: string): OperationExample {
  return operations[operationId] ?? {}
}

export function failureExample(code: ErrorCode): unknown {
  return failures[code]
}
