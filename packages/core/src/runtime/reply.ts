import type { Success, Meta, Failure, ErrorDetails, Limits } from './envelope.ts'
import { FairleadError, describeIssues, type Issue } from './errors.ts'
import { clip, maxMessageLength, maxNameLength } from './names.ts'
import { type SpellField, type Runtime, chargedAccount, type Run } from './run-state.ts'
import type { Log } from './log.ts'
import type { Services } from './call.ts'
import { limitsFrom } from './quota.ts'
import type { Operation } from './operation.ts'

export function toSuccess<Data>(run: Run, data: Data): Success<Data> {
  const { limits, burst, replyFacts } = run
  return {
    success: true,
    data,
    meta: metaOf(run),
    ...(limits && { limits }),
    ...(burst && { burst }),
    ...(replyFacts.version !== undefined && { version: replyFacts.version }),
    ...(replyFacts.records && { records: replyFacts.records }),
  }
}

/** What can be said of a run so far. */
export function metaOf({ requestId, at, modelCall, warnings, spell, replyFacts }: Run): Meta {
  const { provider, attempts, cached, costUsd } = modelCall
  return {
    requestId,
    timestamp: new Date(at).toISOString(),
    ...(provider !== undefined && { provider }),
    ...(costUsd !== undefined && { costUsd }),
    ...(provider !== undefined && { cached: cached ?? false }),
    ...(attempts !== undefined && { attempts }),
    ...(replyFacts.page && { page: replyFacts.page }),
    ...(warnings.length > 0 && { warnings: warnings.map((issue) => spelled(issue, spell)) }),
  }
}

/** What a failure's answer needs to know, however early the request was refused. */
export type Refused = Pick<Run, 'requestId' | 'at' | 'spell'> & Partial<Pick<Run, 'limits' | 'burst'>>

export function toFailure(error: FairleadError, { requestId, at, limits, burst, spell }: Refused): Failure {
  const issues = error.issues.map((issue) => spelled(issue, spell))
  const [first, ...others] = issues
  const details: ErrorDetails = {
    ...error.facts,
    field: first?.field ?? null,
    issue: first?.issue ?? null,
    issues,
  }
  const message = clip(first ? describeIssues([first, ...others]) : error.message, maxMessageLength)
  const failure: Failure = {
    success: false,
    error: { code: error.code, message, details },
    meta: { requestId, timestamp: new Date(at).toISOString() },
    ...(limits && { limits }),
    ...(burst && { burst }),
    ...(error.retryAfterMs !== undefined && { retryAfterMs: error.retryAfterMs }),
  }
  causes.set(failure, error.cause)
  return failure
}

const causes = new WeakMap<Failure, unknown>()

/** What lies behind a failure, for the embedding program alone: no transport can show it by mistake. */
export function causeOf(failure: Failure): unknown {
  return causes.get(failure)
}

/** An issue with its fields in a transport's spelling. */
export function spelled({ field, issue, suggestion }: Issue, spell: SpellField) {
  return {
    field: field === null ? null : clip(spell(field), maxNameLength),
    issue: suggestion === undefined ? issue : `${issue}; did you mean "${spell(suggestion)}"?`,
  }
}

/** The error that a caller may see. A defect is masked, and logged under the request's id. */
export function toPublicError(
  log: Log,
  { requestId, signal }: { readonly requestId: string; readonly signal?: AbortSignal },
  error: unknown,
): FairleadError {
  if (error instanceof FairleadError) {
    logOutage(log, requestId, error)
    return error
  }
  if (signal?.aborted) return new FairleadError('SERVICE_UNAVAILABLE', 'Client closed the request.')
  log.error({ requestId, error }, 'unhandled error')
  return new FairleadError('INTERNAL_ERROR', 'Internal server error. Quote the request id when you contact support.')
}

const logged = new WeakSet<FairleadError>()

/** The response does not say why a dependency is unavailable, so the log does. An error that passes here twice is logged once. */
export function logOutage(log: Log, requestId: string, error: FairleadError): void {
  if (error.code !== 'SERVICE_UNAVAILABLE' || error.cause === undefined || logged.has(error)) return
  logged.add(error)
  log.warn({ requestId, error }, 'dependency unavailable')
}

/** Turns whatever went wrong in a run into an answer. */
export async function refuse(
  { log }: Runtime,
  services: Services | undefined,
  run: Run,
  error: unknown,
): Promise<Failure> {
  const shown = toPublicError(log, run, error)
  // A store that is away can't be asked.
  if (services && shown.code !== 'SERVICE_UNAVAILABLE') run.limits ??= await currentLimits(services, run)
  return toFailure(shown, run)
}

/** The current limits of a caller with a quota, for replies that did not touch the counter. */
export async function currentLimits({ stores }: Services, run: Run): Promise<Limits | undefined> {
  const account = chargedAccount(run)
  if (!account || account.limit === null) return undefined
  try {
    return limitsFrom(await stores.read((view) => view.counters.peek(account.counter)), account.limit)
  } catch {
    return undefined // The answer stands, whether or not the store can be asked.
  }
}

/** Holds a result to its declaration, so that nothing undeclared gets out. What does not fit is a defect. */
export function checkOutput(operation: Operation, data: unknown): unknown {
  const checked = operation.output.safeParse(data)
  if (checked.success) return checked.data
  throw new Error(`${operation.name} answered with what it does not declare`, { cause: checked.error })
}
