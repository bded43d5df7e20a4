import { ProviderError, type UpstreamFailure } from '@fairlead/core/provider'

/** The shapes of well-known API keys and tokens. */
const knownShapes =
  /\bBearer\s+[^\s"',;]+|\b(?:sk|pk|rk|gsk|xai|pplx|csk|nvapi|fl|fls|whsec)[-_][\w*.-]{6,}|\bAIza[\w-]{10,}|(?<=[?&](?:api[-_]?key|key|token|access_token)=)[^\s&"']+/gi

/** The scheme before the secret in a header: `Bearer …`, `Token …`. */
const scheme = /^[a-z]+ +/i

const mark = '[redacted]'
/** Shorter values are placeholders; removing them would mutilate ordinary text. */
const shortestSecret = 6

/**
 * Removes secrets from text that may reach a log or a caller: the given ones, plain and encoded as JSON, URL, or base64,
 * and everything that looks like an API key.
 */
export function createRedactor(secrets: readonly string[]): (text: string) => string {
  const spellings = secrets
    .flatMap((secret) => [secret, secret.replace(scheme, '')])
    .filter(({ length }) => length >= shortestSecret)
    .flatMap((secret) => [
      secret,
      JSON.stringify(secret).slice(1, -1),
      encodeURIComponent(secret),
      Buffer.from(secret).toString('base64').replace(/=+$/, ''),
      Buffer.from(secret).toString('base64url'),
    ])
    .sort((one, other) => other.length - one.length)
  return (text) => spellings.reduce((rest, secret) => rest.replaceAll(secret, mark), text).replace(knownShapes, mark)
}

/** The operator's account, which is no business of callers: `in organization org-4f8a…`, `for your organization (7f54fbff-…)`. */
const accountIds = /\b(organization|project|account)\s+[`'"(]?(?=[\w-]*\d)[\w-]{8,}[`'")]?/gi

const longest = 500

/**
 * The same error with the provider's name before its message, without secrets, control characters, or long text.
 *
 * @param reply the head of the reply that began before the failure
 */
export function tidyError(
  error: ProviderError,
  id: string,
  redact: (text: string) => string,
  reply?: UpstreamFailure,
): ProviderError {
  const tidy = (text: string) =>
    shorten(
      redact(text)
        .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
        .trim(),
    )
  const tidyOptional = (text: string | undefined) => (text === undefined ? undefined : tidy(text))
  const { retryAfterMs, neededTokens, brokeOff, upstream = reply } = error
  return new ProviderError(error.failure, `${id}: ${tidy(error.message)}`, {
    retryAfterMs,
    neededTokens,
    brokeOff,
    field: tidyOptional(error.field),
    detail: tidyOptional(error.detail?.replaceAll(accountIds, '$1')),
    // Without facts, the error is about a reply that had begun: it broke off, or cannot be read.
    mayBill: error.mayBill || (reply !== undefined && error.upstream === undefined),
    upstream: upstream && {
      ...upstream,
      code: tidyOptional(upstream.code),
      param: tidyOptional(upstream.param),
      requestId: tidyOptional(upstream.requestId ?? reply?.requestId),
      rateLimit: upstream.rateLimit ?? reply?.rateLimit,
    },
  })
}

function shorten(text: string): string {
  return text.length > longest ? `${text.slice(0, longest).toWellFormed()}…` : text
}
