import { type AuditedTarget, auditEntry } from '../audit-entry.ts'
import type { Success, Meta, Failure, ErrorDetails, Limits } from './envelope.ts'
import { FairleadError, describeIssues, type Issue } from '../errors.ts'
import { clip, maxMessageLength, maxNameLength } from '../schema/names.ts'
import type { Log } from '../log.ts'
import { type OperationRun, chargedAccount } from './operation-run.ts'
import type { FieldNameMapper } from './run-options.ts'
import type { Runtime } from './runtime.ts'
import { limitsFrom } from '../quota/quota.ts'
import type { Operation } from '../operation.ts'

export function toSuccess<Data>(call: OperationRun, data: Data): Success<Data> {
  const { limits, burst, replyFacts } = call
  const { version, records } = replyFacts
  const success: Written<Success<Data>> = { success: true, data, meta: metaOf(call) }
  if (limits) success.limits = limits
  if (burst) success.burst = burst
  if (version !== undefined) success.version = version
  if (records) success.records = records
  return success
}

export function metaOf(call: OperationRun, spell?: FieldNameMapper): Meta {
  const { requestId, at, modelCall, warnings, replyFacts } = call
  const { provider, attempts, cached, costUsd } = modelCall
  const meta: Written<Meta> = { requestId, timestamp: new Date(at).toISOString() }
  if (provider !== undefined) meta.provider = provider
  if (costUsd !== undefined) meta.costUsd = costUsd
  if (provider !== undefined) meta.cached = cached ?? false
  if (attempts !== undefined) meta.attempts = attempts
  if (replyFacts.page) meta.page = replyFacts.page
  if (warnings.length > 0) meta.warnings = warnings.map((issue) => spelled(issue, spell ?? call.spell))
  return meta
}

/** While it is written, field by field: spreading each of them would make an object for it. */
type Written<Type> = { -readonly [Field in keyof Type]: Type[Field] }

/** The facts that a failure reply contains. Limits may not be known yet. */
export type FailureContext = Pick<OperationRun, 'requestId' | 'at' | 'spell'> &
  Partial<Pick<OperationRun, 'limits' | 'burst'>>

export function toFailure(error: FairleadError, { requestId, at, limits, burst, spell }: FailureContext): Failure {
  const issues = error.issues.map((issue) => spelled(issue, spell))
  const [first] = issues
  const details: ErrorDetails = {
    ...error.facts,
    field: first?.field ?? null,
    issue: first?.issue ?? null,
    issues,
  }
  const failure: Failure = {
    success: false,
    error: { code: error.code, message: messageOf(error, spell), details },
    meta: { requestId, timestamp: new Date(at).toISOString() },
    ...(limits && { limits }),
    ...(burst && { burst }),
    ...(error.retryAfterMs !== undefined && { retryAfterMs: error.retryAfterMs }),
    ...(error.upstream && { upstream: error.upstream }),
  }
  causes.set(failure, error.cause)
  return failure
}

/** The message for the caller. */
export function messageOf({ issues: [first, ...others], message }: FairleadError, spell: FieldNameMapper): string {
  const named = first && describeIssues([spelled(first, spell), ...others])
  return clip(named ?? message, maxMessageLength)
}

const causes = new WeakMap<Failure, unknown>()

/** The cause of a failure, for the embedding program only. It is not a property, so no adapter can expose it by mistake. */
export function causeOf(failure: Failure): unknown {
  return causes.get(failure)
}

/** An issue with its field names in the spelling of a transport. */
export function spelled({ field, issue, suggestion }: Issue, spell: FieldNameMapper) {
  return {
    field: field === null ? null : clip(spell(field), maxNameLength),
    issue: suggestion === undefined ? issue : `${issue}; did you mean "${spell(suggestion)}"?`,
  }
}

/** The error for the response. Unexpected errors are logged with the request id and masked. */
export function toPublicError(
  log: Log,
  { requestId, clientClosed }: { readonly requestId: string; readonly clientClosed?: boolean },
  error: unknown,
): FairleadError {
  if (error instanceof FairleadError) {
    logOutage(log, requestId, error)
    return error
  }
  if (clientClosed) return new FairleadError('SERVICE_UNAVAILABLE', 'Client closed the request.')
  log.error({ requestId, error }, 'unhandled error')
  return new FairleadError('INTERNAL_ERROR', 'Internal server error. Quote the request id when you contact support.')
}

const logged = new WeakSet<FairleadError>()

/** Logs the cause of an unavailable dependency, which the response does not contain. Logs each error only once. */
export function logOutage(log: Log, requestId: string, error: FairleadError): void {
  if (error.code !== 'SERVICE_UNAVAILABLE' || error.cause === undefined || logged.has(error)) return
  logged.add(error)
  log.warn({ requestId, error }, 'dependency unavailable')
}

/** The reply to a failure of the run. A failed sign-in is added to the audit log. */
export async function replyWithFailure(runtime: Runtime, call: OperationRun, error: FairleadError): Promise<Failure> {
  if (call.outcome === 'ok') call.outcome = call.clientClosed ? 'aborted' : error.code
  if (call.auditedFailure) await auditFailure(runtime, call, call.auditedFailure, error)
  // Without a store, the limits cannot be read.
  if (error.code !== 'SERVICE_UNAVAILABLE') call.limits ??= await currentLimits(call)
  return toFailure(error, call)
}

/** Never rejects: the caller gets the reason of the failure. */
async function auditFailure(
  { auditSink, clock, log }: Runtime,
  call: OperationRun,
  target: AuditedTarget,
  { code }: FairleadError,
): Promise<void> {
  if (!auditSink?.admitsFailure()) return
  const entry = auditEntry(call, { target }, clock.now(), code)
  try {
    await call.services.stores.transact((tx) => auditSink.add(tx, [entry]))
  } catch (error) {
    log.warn({ requestId: call.requestId, error }, 'could not add a failure to the audit log')
  }
}

/** The current limits of a caller with a quota, for replies of runs that did not reserve a unit. */
export async function currentLimits(call: OperationRun): Promise<Limits | undefined> {
  const account = chargedAccount(call)
  if (!account || account.limit === null) return undefined
  try {
    return limitsFrom(await call.services.stores.read((view) => view.counters.peek(account.counter)), account.limit)
  } catch {
    return undefined // The reply is valid without limits.
  }
}

/** Validates a result against the output schema, which removes undeclared fields. An invalid result is a bug. */
export function checkOutput(operation: Operation, data: unknown): unknown {
  if (operation.isChecked) return data
  const checked = operation.output.safeParse(data)
  if (checked.success) return checked.data
  throw new Error(`The result of ${operation.name} does not match its output schema`, { cause: checked.error })
}
