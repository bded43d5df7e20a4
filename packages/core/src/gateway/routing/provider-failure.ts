import { FairleadError, type FairleadErrorOptions } from '../../runtime/errors.ts'
import { ProviderError } from '../provider-error.ts'

/** Who failed, for the caller. */
export type FailureFacts = { readonly provider: string; readonly attempts: number }
type Context = Pick<FairleadErrorOptions, 'facts' | 'cause'>

const busyRetryMs = 1_000

/**
 * What a caller is told when no target is left to try. The provider's own words stay in the log, save for the detail
 * that it meant for the caller.
 */
export function toFairleadError(error: unknown, facts: FailureFacts): FairleadError {
  const context: Context = { facts, cause: error }
  if (!(error instanceof ProviderError)) {
    return new FairleadError('PROVIDER_ERROR', 'The provider returned an unexpected error.', context)
  }
  switch (error.failure) {
    case 'timeout':
      return new FairleadError('PROVIDER_TIMEOUT', 'The provider did not answer in time.', context)
    case 'invalid_request':
      return refused(error, context)
    case 'content_refused':
      return new FairleadError('CONTENT_REFUSED', shown(error.detail) ?? 'The provider refused the content.', context)
    case 'rate_limited':
      return busy(error.retryAfterMs, context)
    case 'retry':
      if (error.retryAfterMs !== undefined) return busy(error.retryAfterMs, context)
      return new FairleadError('PROVIDER_ERROR', 'The provider failed. Trying again may help.', context)
    // A class that this version does not know counts as the last.
    default:
      return new FairleadError('PROVIDER_ERROR', 'The provider could not answer.', context)
  }
}

function refused(error: ProviderError, context: Context): FairleadError {
  const detail = shown(error.detail)
  const issue = `was refused by the provider${detail ? `: ${detail}` : ''}`
  return new FairleadError('INVALID_REQUEST', `The request ${issue}`, {
    ...context,
    issues: [{ field: shown(error.field) ?? null, issue }],
  })
}

const maxShown = 1_000

/** A provider's words as they may reach a caller: text, in one piece, that every store keeps, and no book. */
function shown(words: unknown): string | undefined {
  if (typeof words !== 'string') return undefined
  return words
    .slice(0, maxShown)
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
}

function busy(retryAfterMs: number | undefined, context: Context): FairleadError {
  const known = retryAfterMs !== undefined && Number.isFinite(retryAfterMs) && retryAfterMs > 0
  return new FairleadError('PROVIDER_UNAVAILABLE', 'The provider is busy. Try again later.', {
    ...context,
    retryAfterMs: known ? retryAfterMs : busyRetryMs,
  })
}
