import { ProviderError, type ProviderCall } from '@fairlead/core/provider'

/** A signal that also aborts when the call's deadline passes, if it has one, or the provider closes. */
export interface TimeLimit extends Disposable {
  readonly signal: AbortSignal
}

/** The longest delay of a timer; a longer one would fire at once. */
const maxTimerMs = 2 ** 31 - 1

export function limitTime({ signal, deadline = Infinity }: ProviderCall, closing: AbortSignal): TimeLimit {
  const late = new AbortController()
  const leftMs = deadline - Date.now()
  const expire = () => late.abort(new ProviderError('timeout', 'the deadline passed before the response was complete'))
  const timer = leftMs > maxTimerMs ? undefined : setTimeout(expire, Math.max(0, leftMs))
  return {
    signal: AbortSignal.any([signal, late.signal, closing]),
    [Symbol.dispose]: () => clearTimeout(timer),
  }
}

/** Rejects when the signal aborts; the work itself continues. */
export function raceAbort<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise<Result>((resolve, reject) => {
    const leave = () => reject(signal.reason)
    if (signal.aborted) leave()
    else signal.addEventListener('abort', leave, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave))
  })
}
