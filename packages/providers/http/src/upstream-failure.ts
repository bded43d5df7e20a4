import type { IncomingHttpHeaders } from 'node:http'
import { ProviderError } from '@fairlead/core/provider'
import type { ErrorReading } from './http-client-options.ts'
import { readRetryAfter, saneWait } from './retry-after.ts'
import { failureOfStatus } from './status-failure.ts'

export interface UpstreamFailureFacts {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** The body, for where the reading has no sentence. */
  readonly text: string
  readonly reading: ErrorReading | undefined
  /** Milliseconds since the epoch. */
  readonly now: number
}

/**
 * The error that an upstream answered with, in its own words where it has some. They are whole: cut before it is found, a
 * secret in them would be half hidden.
 */
export function upstreamFailure({ status, headers, text, reading = {}, now }: UpstreamFailureFacts): ProviderError {
  const words = reading.message ?? text
  const retryAfterMs = saneWait(reading.retryAfterMs ?? NaN) ?? readRetryAfter(headers, now)
  const redirect = status >= 300 && status < 400 ? ' (redirects are not followed: mend baseUrl)' : ''
  return new ProviderError(reading.failure ?? failureOfStatus(status), `answered ${status}${redirect}: ${words}`, {
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(reading.field === undefined ? {} : { field: reading.field }),
    ...(reading.message === undefined ? {} : { detail: reading.message }),
  })
}
