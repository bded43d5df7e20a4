import { ProviderError } from '@fairlead/core/provider'

const longest = 500

/** The same error with the provider's name before its message, and with nothing in it that a log or a caller must not see. */
export function tidyError(error: ProviderError, id: string, redact: (text: string) => string): ProviderError {
  const tidy = (text: string) =>
    shorten(
      redact(text)
        .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
        .trim(),
    )
  return new ProviderError(error.failure, `${id}: ${tidy(error.message)}`, {
    ...(error.retryAfterMs === undefined ? {} : { retryAfterMs: error.retryAfterMs }),
    ...(error.field === undefined ? {} : { field: tidy(error.field) }),
    ...(error.detail === undefined ? {} : { detail: tidy(error.detail) }),
  })
}

function shorten(text: string): string {
  return text.length > longest ? `${text.slice(0, longest).toWellFormed()}…` : text
}
