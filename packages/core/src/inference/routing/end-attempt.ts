import { FairleadError } from '../../values/fairlead-error.ts'
import { ProviderError } from '../../values/provider-error.ts'
import { afterFailure, type Next } from './after-failure.ts'
import { type Attempt, failureOf } from './attempt.ts'
import { type Journey, moveOn, othersLeft } from './journey.ts'
import { pause } from './pause.ts'
import { toFairleadError } from './provider-failure.ts'
import type { Target } from '../route.ts'

/**
 * What follows a failed attempt: waits where the same target is to be asked again, moves on to the next, or throws what
 * the caller is told where the call is over.
 */
export async function recover<At extends Target>(
  journey: Journey<At>,
  target: At,
  attempt: Attempt,
  thrown: unknown,
): Promise<void> {
  const error = conclude(journey, target, attempt, thrown)
  const next = whatNext(journey, attempt, error)
  if (next === 'end') throw stranded(journey)
  if (next === 'move on') return moveOn(journey)
  if (next === 'next credential') return void journey.credentials++
  journey.retries++
  if (next.waitMs === 0) return
  const { rules, call } = journey
  await pause(rules.clock, next.waitMs, AbortSignal.any([call.signal, rules.closed]))
}

/** What the caller is told of a stream that broke off. */
export function broken<At extends Target>(
  journey: Journey<At>,
  target: At,
  attempt: Attempt,
  thrown: unknown,
): unknown {
  conclude(journey, target, attempt, thrown)
  return stranded(journey)
}

/** What the caller is told when no target is left: what the last one failed by, or that none takes calls. */
export function stranded({ failure, attempts, targets, comeBackInMs }: Journey<Target>): FairleadError {
  if (failure) return toFairleadError(failure.error, { provider: failure.target.provider.id, attempts })
  const provider = targets[0]?.provider.id ?? ''
  return new FairleadError(
    'PROVIDER_UNAVAILABLE',
    'No provider is currently available for this model. Try again later.',
    {
      facts: { provider, attempts },
      retryAfterMs: Number.isFinite(comeBackInMs) ? Math.ceil(comeBackInMs) : soonMs,
    },
  )
}

const soonMs = 1_000

/** Ends the attempt, and tells the error that it failed by. Throws the reason where the caller left or core was closed. */
function conclude<At extends Target>(journey: Journey<At>, target: At, attempt: Attempt, thrown: unknown): unknown {
  const { rules, call, attempts } = journey
  // While the target is left alone anyway, or where it was not asked, each of many failures would be noise.
  const isNoise = !attempt.wasAsked() || attempt.state.circuit.refusedForMs(journey.circuitCall) > 0
  const error = attempt.failed(thrown)
  if (call.signal.aborted) throw call.signal.reason
  rules.closed.throwIfAborted()
  journey.failure = { error, target }
  if (!isNoise) {
    const facts = { requestId: call.requestId, provider: target.provider.id, attempts, target: target.id }
    rules.log.warn({ ...facts, failure: failureOf(error), error }, 'a provider failed')
  }
  return error
}

function whatNext(journey: Journey<Target>, { state }: Attempt, error: unknown): Next {
  const { rules, retries, credentials, endAt, circuitCall } = journey
  if (state.circuit.isOpenFor(circuitCall)) return 'move on'
  const { failure, retryAfterMs } = error instanceof ProviderError ? error : unknownFailure
  const hasOther = othersLeft(journey) > 0
  const leftMs = endAt - rules.clock.now()
  return afterFailure({ failure, retryAfterMs, retries, credentials, hasOther, leftMs }, rules.retries)
}

/** What is known of an error that no provider should throw. */
const unknownFailure = { failure: undefined, retryAfterMs: undefined }
