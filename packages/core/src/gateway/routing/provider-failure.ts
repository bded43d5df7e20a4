import {
  FairleadError,
  type FairleadErrorOptions,
  type Issue,
  describeIssues,
  invalidBecause,
} from '../../runtime/errors.ts'
import { ProviderError } from '../provider-error.ts'
import type { Target } from './route.ts'

type Context = Pick<FairleadErrorOptions, 'facts' | 'cause'>

const busyRetryMs = 1_000

/**
 * The error for the caller when no target is left. Of the provider's own message, only `detail` is passed on; the rest is
 * for the log.
 *
 * @param target the one that failed last
 */
export function toFairleadError(error: unknown, target: Target, attempts: number): FairleadError {
  const context: Context = { facts: { provider: target.provider.id, attempts }, cause: error }
  if (!(error instanceof ProviderError)) {
    return new FairleadError('PROVIDER_ERROR', 'The provider returned an unexpected error.', context)
  }
  switch (error.failure) {
    case 'timeout':
      return new FairleadError('PROVIDER_TIMEOUT', 'The provider did not respond in time.', context)
    case 'invalid_request': {
      const issue = `was rejected by the provider${detailOf(error)}`
      return invalid({ field: sanitized(error.field) ?? null, issue }, context)
    }
    case 'too_long': {
      const issue = `exceeds the context size of ${contextOf(target)}${detailOf(error)}`
      return invalidBecause('context_length_exceeded', { field: sanitized(error.field) ?? 'prompt', issue }, context)
    }
    case 'content_refused':
      return new FairleadError(
        'CONTENT_REFUSED',
        sanitized(error.detail) ?? 'The provider refused the content.',
        context,
      )
    case 'rate_limited':
      return busy(error.retryAfterMs, context)
    case 'retry':
      if (error.retryAfterMs !== undefined) return busy(error.retryAfterMs, context)
      return new FairleadError('PROVIDER_ERROR', 'The provider failed. Try again later.', context)
    // Also for the failure classes of later versions of the contract.
    default:
      return new FairleadError('PROVIDER_ERROR', 'The provider could not complete the request.', context)
  }
}

function invalid(issue: Issue, context: Context): FairleadError {
  return new FairleadError('INVALID_REQUEST', describeIssues([issue]), { ...context, issues: [issue] })
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

function busy(retryAfterMs: number | undefined, context: Context): FairleadError {
  const isValid = retryAfterMs !== undefined && Number.isFinite(retryAfterMs) && retryAfterMs > 0
  return new FairleadError('PROVIDER_UNAVAILABLE', 'The provider is busy. Try again later.', {
    ...context,
    retryAfterMs: isValid ? retryAfterMs : busyRetryMs,
  })
}
