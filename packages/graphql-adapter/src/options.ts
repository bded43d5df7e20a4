import type { Clock } from '@fairlead/core'
import type { AdapterAccess } from '@fairlead/core/adapter'
import type { BodyRoom } from '@fairlead/http'
import type { OperationLimits } from './execution/limits.ts'

export interface GraphqlAdapterOptions extends AdapterAccess {
  /** Limits for the size of an operation. Each has its own default. */
  readonly limits?: Partial<OperationLimits> | undefined
  /** Whether clients may introspect the schema. Default: true. */
  readonly introspection?: boolean | undefined
  /** Whether errors suggest the name that was probably meant. Default: true. */
  readonly suggestions?: boolean | undefined
  /** Persisted documents by id. Requests name one with `documentId`. Default: none. */
  readonly documents?: Readonly<Record<string, string>> | undefined
  /** Whether only persisted documents are accepted. Default: false. */
  readonly onlyDocuments?: boolean | undefined
  /** Maximum size of a request body in bytes. Default: 1 MiB. */
  readonly maxBodyBytes?: number | undefined
  /** Limits the bytes of the bodies that are in memory. Default: one for all adapters of the process. */
  readonly bodyRoom?: BodyRoom | undefined
  /** Default: the core's clock. */
  readonly clock?: Clock | undefined
}
