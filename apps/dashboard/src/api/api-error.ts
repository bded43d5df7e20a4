import { PasskeyError } from '../auth/passkey-error.ts'

/** A failure as people see it. */
export interface ApiError {
  readonly code: string
  readonly message: string
  readonly requestId: string | undefined
  /** Messages by the names of the fields on the wire. */
  readonly fields: ReadonlyMap<string, string>
}

interface ErrorBody {
  readonly error: {
    readonly code: string
    readonly message: string
    readonly details?: {
      readonly issues?: readonly { readonly field: string; readonly issue: string }[] | undefined
      readonly reason?: string | undefined
    }
  }
  readonly meta?: { readonly request_id?: string | undefined }
}

/** Reads what a query or mutation threw: the error body of the service, or a failure of the network. */
export function toApiError(thrown: unknown): ApiError {
  if (isErrorBody(thrown)) {
    const { error, meta } = thrown
    const fields = (error.details?.issues ?? []).map(({ field, issue }) => [field, issue] as const)
    return { code: error.code, message: error.message, requestId: meta?.request_id, fields: new Map(fields) }
  }
  const none = { requestId: undefined, fields: new Map<string, string>() }
  if (thrown instanceof PasskeyError) return { code: 'PASSKEY', message: thrown.message, ...none }
  if (thrown instanceof TypeError) {
    const message = 'The service cannot be reached. Check the connection, then try again.'
    return { code: 'NETWORK', message, ...none }
  }
  return { code: 'UNKNOWN', message: 'The service returned an unexpected response.', ...none }
}

/** Why a request failed, for programs. Undefined if the service says no more than its code. */
export function readReason(thrown: unknown): string | undefined {
  return isErrorBody(thrown) ? thrown.error.details?.reason : undefined
}

/** The issue of a field, or of the first of its entries that has one: `entry 2 must be …`. */
export function fieldIssue(fields: ReadonlyMap<string, string> | undefined, name: string): string | undefined {
  for (const [field, issue] of fields ?? []) {
    if (field === name) return issue
    if (field.startsWith(`${name}.`)) return `${field.slice(name.length + 1)} ${issue}`
    const [, index] = field.startsWith(`${name}[`) ? (/^\[(\d+)\]/.exec(field.slice(name.length)) ?? []) : []
    if (index !== undefined) return `entry ${Number(index) + 1} ${issue}`
  }
  return undefined
}

/** Whether the same request may succeed soon. */
export function isTemporary(thrown: unknown): boolean {
  return ['NETWORK', 'SERVICE_UNAVAILABLE', 'PROVIDER_UNAVAILABLE'].includes(toApiError(thrown).code)
}

function isErrorBody(thrown: unknown): thrown is ErrorBody {
  return typeof thrown === 'object' && thrown !== null && 'error' in thrown
}
