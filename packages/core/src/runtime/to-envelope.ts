import type { ErrorDetails, Failure, Meta, Success } from '../values/envelope.ts'
import type { FairleadError } from '../values/fairlead-error.ts'
import { clip, maxMessageLength, maxNameLength } from '../values/clip.ts'
import { describeIssues } from '../values/invalid-request.ts'
import type { Issue } from '../values/issue.ts'
import type { Run, SpellField } from './run-state.ts'

export function toSuccess<Data>(run: Run, data: Data): Success<Data> {
  const { limits, burst, told } = run
  return {
    success: true,
    data,
    meta: metaOf(run),
    ...(limits && { limits }),
    ...(burst && { burst }),
    ...(told.version !== undefined && { version: told.version }),
    ...(told.records && { records: told.records }),
  }
}

/** What can be said of a run so far. */
export function metaOf({ requestId, at, modelCall, warnings, spell, told }: Run): Meta {
  const { provider, attempts, cached, costUsd } = modelCall
  return {
    requestId,
    timestamp: new Date(at).toISOString(),
    ...(provider !== undefined && { provider }),
    ...(costUsd !== undefined && { costUsd }),
    ...(provider !== undefined && { cached: cached ?? false }),
    ...(attempts !== undefined && { attempts }),
    ...(told.page && { page: told.page }),
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
