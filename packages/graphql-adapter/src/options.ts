import type { AdapterAccess, Clock } from '@fairlead/core'
import type { Limits } from './execution/limits.ts'

export interface GraphqlAdapterOptions extends AdapterAccess {
  /** Bounds of an operation. Default: those of `Limits`. */
  readonly limits?: Partial<Limits>
  /** Whether the schema may be asked for. Default: true. */
  readonly introspection?: boolean
  /** Whether errors name what was probably meant. Default: true. */
  readonly suggestions?: boolean
  /** Documents by their ids, which requests may send as `documentId`. Default: none. */
  readonly documents?: Readonly<Record<string, string>>
  /** Whether only those documents are taken. Default: false. */
  readonly onlyDocuments?: boolean
  /** The largest body that is read, in bytes. Default: 1 MiB. */
  readonly maxBodyBytes?: number
  /** Default: the system's. */
  readonly clock?: Clock
}
