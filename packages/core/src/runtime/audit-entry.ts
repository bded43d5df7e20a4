import { isDeepStrictEqual } from 'node:util'
import { type Access, actingUser, type Caller } from './access.ts'
import type { NewId } from './id.ts'
import { isObject } from './json.ts'
import { toSnakeCase } from './schema/wire-names.ts'
import type { RuntimeTransaction } from './stores/stores.ts'

/** A change, or a failed sign-in, as the audit log has it. */
export interface AuditEntryRow {
  readonly id: string
  /** Milliseconds since the epoch. */
  readonly createdAt: number
  /** The name of the operation. */
  readonly action: string
  /** `ok`, or the error code of a failure. */
  readonly outcome: string
  /** The id of the user, or of the project if one of its API keys did it; `operator` for the operator of the service and for an embedding program; `service` for the service itself; null if it is not known. */
  readonly actor: string | null
  /** The id of the API key or session. */
  readonly credential: string | null
  /** The id of the project to which the target belongs. Null for what belongs to a user, or to nobody. */
  readonly projectId: string | null
  /** Such as `api_key`. */
  readonly targetType: string
  /** Null for a sign-in with an unknown name. */
  readonly targetId: string | null
  /**
   * The fields that changed, in JSON as REST spells them, before the change. Of a list or of tags, only what the change
   * removed or replaced. Null for what did not exist.
   */
  readonly before: AuditedFields | null
  /** The same fields after the change; of a list or of tags, only what it added. Null for what was removed. */
  readonly after: AuditedFields | null
  /** The network address of the caller. Null if there is none. */
  readonly address: string | null
  readonly requestId: string | null
}

export type AuditedFields = Readonly<Record<string, unknown>>

/** A change to a record, for `call.audit`. */
export interface AuditedChange {
  readonly target: AuditedTarget
  /** The id of the user or the project to which the target belongs. Default: the caller. */
  readonly owner?: string | undefined
  /** Default: the caller, and its credential. */
  readonly by?: { readonly actor: string; readonly credential: string | null } | undefined
  /** The public record before the change, without secrets. Default: it did not exist. */
  readonly before?: object | undefined
  /** The public record after the change, without secrets. Default: it was removed. */
  readonly after?: object | undefined
}

export interface AuditedTarget {
  /** Such as `api_key`. */
  readonly type: string
  readonly id: string | null
}

/** The actor and the operation, as a call knows them. */
export interface AuditedCall {
  readonly newId: NewId
  readonly operation: { readonly name: string; readonly access?: Access }
  readonly caller: Caller
  readonly requestId: string | null
  readonly options: { readonly address?: string | undefined }
}

/** Stores the entries of the audit log. At most one feature has one; without one, they are discarded. */
export interface AuditSink {
  /** Adds entries at the end of a transaction. Those that are stored already are left out. */
  add(tx: RuntimeTransaction, entries: readonly AuditEntryRow[]): Promise<void>
  /** Whether one more failure is stored: a flood of them is not. */
  admitsFailure(): boolean
}

/**
 * An entry of the audit log, for changes outside of a run, such as a job's. Operations use `call.audit`.
 *
 * @param outcome default: `ok`
 */
export function auditEntry(
  { newId, operation, caller, requestId, options }: AuditedCall,
  { target, owner = findOwner(operation, caller), by, before, after }: AuditedChange,
  createdAt: number,
  outcome = 'ok',
): AuditEntryRow {
  return {
    id: newId('aud'),
    createdAt,
    action: operation.name,
    outcome,
    ...(by ?? toActor(caller)),
    projectId: owner?.startsWith('prj_') ? owner : null,
    targetType: target.type,
    targetId: target.id,
    before: changedFields(before, after),
    after: changedFields(after, before),
    address: options.address ?? null,
    requestId,
  }
}

/** An operation about the user who acts is no matter of the project for which the request acts. */
function findOwner({ access }: AuditedCall['operation'], caller: Caller): string | undefined {
  if (access && 'inProject' in access) return undefined
  return caller.kind === 'account' ? caller.userId : undefined
}

function toActor(caller: Caller): Pick<AuditEntryRow, 'actor' | 'credential'> {
  if (caller.kind === 'account') return { actor: actingUser(caller), credential: caller.credential.id }
  return { actor: caller.kind === 'embedded' && caller.role === 'admin' ? 'operator' : null, credential: null }
}

/** They change with every change. */
const leftOut = ['version', 'updatedAt']

/** The fields in which a record differs from the other, as REST spells them. */
function changedFields(record: object | undefined, other: object | undefined): AuditedFields | null {
  if (!record) return null
  const others = new Map<string, unknown>(Object.entries(other ?? {}))
  const changed = Object.entries(record).filter(
    ([name, value]) => !leftOut.includes(name) && !(others.has(name) && isDeepStrictEqual(value, others.get(name))),
  )
  return Object.fromEntries(changed.map(([name, value]) => [toSnakeCase(name), partBeyond(value, others.get(name))]))
}

/** The entries of a list, or the pairs of a record, that the other one lacks. All of it if the other one is neither. */
function partBeyond(value: unknown, other: unknown): unknown {
  if (Array.isArray(value) && Array.isArray(other)) {
    const known = new Set<unknown>(other)
    return value.filter((entry) => !known.has(entry))
  }
  if (!isObject(value) || !isObject(other)) return value
  const known = new Map(Object.entries(other))
  return Object.fromEntries(
    Object.entries(value).filter(([name, each]) => !known.has(name) || !isDeepStrictEqual(each, known.get(name))),
  )
}
