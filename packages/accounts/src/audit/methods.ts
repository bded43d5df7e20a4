// Generated from the operations: npm run generate
import type { PageInput } from '../methods.ts'
import type { Method } from '@fairlead/core'

export interface AuditMethods {
  readonly audit: {
    /** Lists the entries of the audit log: changes, and sign-ins. Admins and owners of a project, in it, list those of the project. */
    readonly list: Method<AuditLogInput, AuditEntry[]>
  }
}

export interface AuditLogInput extends PageInput {
  /** Only what this user did, `operator`, or `service`. */
  readonly actor?: string | undefined
  /** Only what was done with this API key, or in this session. */
  readonly credential?: string | undefined
  /** Only this operation, such as `createApiKey`. */
  readonly action?: string | undefined
  /** Only entries with this outcome: `ok`, or an error code. */
  readonly outcome?: string | undefined
  /** Only what belongs to this project. */
  readonly projectId?: string | undefined
  /** Only what was done to the record with this id. */
  readonly target?: string | undefined
  /** Only entries after this time. */
  readonly createdAfter?: string | undefined
  /** Only entries before this time. */
  readonly createdBefore?: string | undefined
}

/** A change, or a failed sign-in. */
export interface AuditEntry {
  /** Entry id: `aud_` and digits. */
  id: string
  /** When it happened. */
  createdAt: string
  /** The operation, such as `createApiKey`. */
  action: string
  /** `ok`, or the error code of a failed sign-in. */
  outcome: string
  /** The user who did it, the project for one of its API keys, `operator` for the operator of the service, or `service` for the service itself. Null if it is not known. */
  actor: string | null
  /** Id of the API key or session. Null for other credentials. */
  credential: string | null
  /** The project to which the target belongs. Null for all others. */
  projectId: string | null
  target: AuditTarget
  /** The fields that changed, in snake_case, before the change. Null for what did not exist. */
  before: Record<string, unknown> | null
  /** The same fields after the change. Null for what was removed. */
  after: Record<string, unknown> | null
  /** The network address of the caller. Null if there is none. */
  address: string | null
  /** The request: `req_` and digits. Null if there was none. */
  requestId: string | null
}

/** What was changed. */
export interface AuditTarget {
  /** Its type, such as `user`, `api_key`, `webhook` or `session`. */
  type: string
  /** Its id. Null for a sign-in with an unknown email address. */
  id: string | null
}
