import {
  type FailureReason,
  FairleadError,
  type FairleadErrorOptions,
  type UpstreamFailure,
  describeIssues,
  invalidBecause,
} from '../../runtime/errors.ts'
import { ProviderError, type ProviderFailure, providerFailures } from '../provider-error.ts'
import { ContractViolation } from '../provider-responses.ts'
import type { Target } from './route.ts'
import type { AnswerKind, TargetState } from './targets.ts'

type Context = Pick<FairleadErrorOptions, 'facts' | 'cause' | 'upstream' | 'billed'>

const busyRetryMs = 1_000

/** A call that has no target left. */
export interface FailedCall {
  readonly attempts: number
  /** Whether the request named the model itself, so that a missing one is an error of the request. */
  readonly isOnlyTarget: boolean
  /** The cost of its attempts. */
  readonly billed: FairleadErrorOptions['billed']
}

/**
 * The error for the caller when no target is left. Of the provider's own message, only `detail` is passed on; the rest is
 * for the log.
 *
 * @param target the one that failed last
 */
export function toFairleadError(
  error: unknown,
  target: Target,
  { attempts, isOnlyTarget, billed }: FailedCall,
): FairleadError {
  const facts = { provider: target.provider.id, attempts }
  if (!(error instanceof ProviderError)) {
    return new FairleadError('PROVIDER_ERROR', 'The provider returned an unexpected error.', {
      facts,
      billed,
      cause: error,
    })
  }
  const context: Context = { facts, billed, cause: error, upstream: upstreamOf(error) }
  switch (error.failure) {
    case 'timeout':
      return new FairleadError('PROVIDER_TIMEOUT', 'The provider did not respond in time.', context)
    case 'invalid_request': {
      const issue = `was rejected by the provider${detailOf(error)}`
      const issues = [{ field: sanitized(error.field) ?? null, issue }] as const
      return new FairleadError('INVALID_REQUEST', describeIssues(issues), { ...context, issues })
    }
    case 'too_long': {
      const limit =
        error.neededTokens === undefined
          ? `the context size of ${contextOf(target)}`
          : `the provider's limits for model "${target.model?.id ?? target.id}"`
      const issue = `exceeds ${limit}${detailOf(error)}`
      const field = sanitized(error.field) ?? (target.model?.type === 'text' ? 'messages' : 'prompt')
      return invalidBecause('context_length_exceeded', { field, issue }, context)
    }
    case 'content_refused':
      return new FairleadError(
        'CONTENT_REFUSED',
        sanitized(error.detail) ?? 'The provider refused the content.',
        context,
      )
    case 'rate_limited':
      return rateLimited(error.retryAfterMs, context, sanitized(error.detail))
    case 'retry':
      if (error.retryAfterMs === undefined && error.upstream?.status !== overloaded) {
        return new FairleadError('PROVIDER_ERROR', 'The provider failed. Try again later.', context)
      }
      return new FairleadError('PROVIDER_UNAVAILABLE', 'The provider is busy. Try again later.', {
        ...context,
        retryAfterMs: validRetryAfterMs(error.retryAfterMs) ?? busyRetryMs,
      })
    // Also for the failure classes of later versions of the contract.
    default: {
      if (!isUnknownModel(error) || !isOnlyTarget) {
        return new FairleadError('PROVIDER_ERROR', 'The provider could not complete the request.', context)
      }
      const detail = detailOf(error) || `; provider "${target.provider.id}" does not have it`
      const issue = `unknown model "${target.id}"${detail}`
      return invalidBecause('model_not_found', { field: 'model', issue }, context)
    }
  }
}

export function isTooLong(error: unknown): error is ProviderError {
  return error instanceof ProviderError && error.failure === 'too_long'
}

/**
 * The cost of a failed attempt. A connection that was never made, or an error of the upstream, costs nothing.
 *
 * @param isOurTimeLimit whether the attempt was aborted after it had started
 */
export function billedFor(error: unknown, isOurTimeLimit: boolean): FailedCall['billed'] {
  // The answer arrived, but the provider is at fault.
  if (error instanceof ContractViolation) return 'possible'
  if (!(error instanceof ProviderError)) return undefined
  return error.mayBill || isOurTimeLimit ? 'possible' : undefined
}

/** Whether the provider does not have the model, which depends on the request rather than on the target. */
function isUnknownModel(error: unknown): boolean {
  return error instanceof ProviderError && error.failure === 'give_up' && error.field === 'model'
}

/** Anthropic's status for it. A 503 without `Retry-After` may come from a proxy whose server is gone. */
const overloaded = 529

/** A word, as vendors send it. Anything else is left out: it reaches headers and the bodies of other surfaces. */
const safeWord = /^[\w.:=+/[\]-]{1,128}$/

function upstreamOf({ failure, upstream }: ProviderError): UpstreamFailure | undefined {
  if (typeof upstream !== 'object' || upstream === null || !Number.isInteger(upstream.status)) return undefined
  const { status, code, param, requestId, rateLimit, retryAfterMs } = upstream
  // A rejected key is the operator's: its code would tell callers that theirs is wrong.
  const isOfRequest = failure !== 'credential'
  return {
    status,
    ...(isOfRequest && isSafe(code) && { code }),
    ...(isOfRequest && isSafe(param) && { param }),
    ...(isSafe(requestId) && { requestId }),
    ...(typeof rateLimit === 'object' && { rateLimit }),
    ...(typeof retryAfterMs === 'number' && { retryAfterMs }),
  }
}

function isSafe(word: unknown): word is string {
  return typeof word === 'string' && safeWord.test(word)
}

function contextOf({ id, model }: Target): string {
  const size = model?.type === 'text' && model.contextSize !== undefined ? ` (${model.contextSize} tokens)` : ''
  return `model "${model?.id ?? id}"${size}`
}

function detailOf({ detail }: ProviderError): string {
  const text = sanitized(detail)
  return text ? `: ${text}` : ''
}

const maxLength = 1_000

/** A provider's text in a form that is safe for responses, logs and stores: well-formed, on one line, and not too long. */
function sanitized(text: unknown): string | undefined {
  if (typeof text !== 'string') return undefined
  return text
    .slice(0, maxLength)
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
}

/**
 * The limit of the upstream, which all callers share.
 *
 * @param detail the upstream's own message
 */
export function rateLimited(retryAfterMs: number | undefined, context: Context, detail?: string): FairleadError {
  const waitMs = validRetryAfterMs(retryAfterMs) ?? busyRetryMs
  const words = detail ? ` It says: ${detail}` : ''
  return new FairleadError(
    'RATE_LIMIT_EXCEEDED',
    `The provider limits the rate of requests. Try again in ${Math.ceil(waitMs / 1_000)} s.${words}`,
    { ...context, retryAfterMs: waitMs },
  )
}

/**
 * No target can be called now: their circuits are open, or the queue of one is full.
 *
 * @param full the target whose queue is full
 * @param hasWaited whether the call waited for a slot, until the circuit opened
 */
export function unavailable(
  full: TargetState | undefined,
  hasWaited: boolean,
  { facts, retryAfterMs = Infinity, ...context }: FairleadErrorOptions,
): FairleadError {
  const options = {
    ...context,
    facts,
    retryAfterMs: Number.isFinite(retryAfterMs) ? Math.ceil(retryAfterMs) : busyRetryMs,
  }
  if (full) {
    const { id, provider, bulkhead } = full
    const calls = bulkhead.queueSize
    const message = `The queue of model "${id}" is full (limit: ${calls} calls). Try again later.`
    return new FairleadError('PROVIDER_UNAVAILABLE', message, {
      ...options,
      facts: { ...facts, provider, reason: 'queue_full' satisfies FailureReason, calls },
    })
  }
  const message = hasWaited
    ? 'The provider failed other calls while this one waited for its turn. Try again later.'
    : 'No provider is currently available for this model. Try again later.'
  return new FairleadError('PROVIDER_UNAVAILABLE', message, options)
}

/** The time of the call was over before the target had a free slot for it. */
export function queueTimeout(
  { id, provider, bulkhead: { slots } }: TargetState,
  { attempts, billed }: Pick<FailedCall, 'attempts' | 'billed'>,
): FairleadError {
  const facts = { provider, attempts, reason: 'queue_timeout' satisfies FailureReason, calls: slots }
  const message = `No slot of model "${id}" became free in time (limit: ${slots} concurrent calls). Try again later.`
  return new FairleadError('PROVIDER_TIMEOUT', message, { facts, billed })
}

/** The delay that an upstream requests; undefined if there is none or it is invalid. */
export function validRetryAfterMs(retryAfterMs: number | undefined): number | undefined {
  if (retryAfterMs === undefined || !Number.isFinite(retryAfterMs) || retryAfterMs <= 0) return undefined
  return Math.ceil(retryAfterMs)
}

/** The failure class; `defect` for a bug of the provider, `give_up` for a class of a later version of the contract. */
export function failureOf(error: unknown): ProviderFailure | 'defect' {
  if (!(error instanceof ProviderError)) return 'defect'
  return providerFailures.includes(error.failure) ? error.failure : 'give_up'
}

/** A busy target frees slots one by one, long before its whole queue is done, which is the delay that it reports. */
const maxBusyPauseMs = 1_000

/** Records a failure in the statistics. Returns whether it also counts for the circuit. */
export function recordFailure(state: TargetState, kind: AnswerKind, error: unknown, now: number): boolean {
  const failure = failureOf(error)
  // These depend on the request, not on the target.
  if (failure === 'invalid_request' || failure === 'content_refused' || failure === 'too_long') return false
  if (isUnknownModel(error)) return false
  state.failures++
  state.lastFailure = failure
  state.latency[kind].penalize()
  const retryAfterMs = error instanceof ProviderError ? error.retryAfterMs : undefined
  const pauseMs = validRetryAfterMs(retryAfterMs)
  const isBusy = pauseMs !== undefined && (failure === 'rate_limited' || failure === 'retry')
  if (isBusy && failure === 'rate_limited') state.rateLimitedUntil = now + pauseMs
  if (isBusy) state.circuit.pause(failure === 'retry' ? Math.min(pauseMs, maxBusyPauseMs) : pauseMs)
  // A delay of 0 means that another credential is available. A defect may depend on the request.
  return !isBusy && retryAfterMs !== 0 && failure !== 'defect'
}
