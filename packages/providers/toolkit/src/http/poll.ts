import { type Clock, pause, ProviderError } from '@fairlead/core/provider'
import type { JsonPoll } from './http-requests.ts'

/** The answer of a poll whose work is not done. */
export const notDone = Symbol('not done')

/** One answer, and how long the upstream asks to wait for the next. */
export interface Polled<Answer> {
  readonly answer: Answer | typeof notDone
  readonly retryAfterMs: number | undefined
}

const maxFailures = 3

/** Asks until there is an answer. */
export async function pollUntilDone<Answer>(
  ask: () => Promise<Polled<Answer>>,
  { everyMs, signal }: Pick<JsonPoll<never>, 'everyMs' | 'signal'>,
  clock: Clock,
): Promise<Answer> {
  if (!(everyMs > 0)) throw new TypeError('everyMs must be a number above 0')
  for (let failures = 0; ;) {
    let waitMs: number | undefined
    try {
      const { answer, retryAfterMs } = await ask()
      if (answer !== notDone) return answer
      failures = 0
      waitMs = retryAfterMs
    } catch (error) {
      failures++
      if (!(error instanceof ProviderError)) throw error
      if (failures === maxFailures || !isTemporary(error)) throw withBill(error)
      waitMs = error.upstream?.retryAfterMs ?? error.retryAfterMs
    }
    await pause(clock, Math.max(everyMs, waitMs ?? 0), signal)
  }
}

function isTemporary({ failure }: ProviderError): boolean {
  return failure === 'retry' || failure === 'timeout' || failure === 'rate_limited'
}

/** The upstream had begun the work. */
function withBill(error: ProviderError): ProviderError {
  const { failure, message, ...facts } = error
  return new ProviderError(failure, message, { ...facts, mayBill: true })
}
