import type { Clock } from '../../ports/clock.ts'
import type { ProviderCall } from '../../ports/provider.ts'
import { ProviderError } from '../../values/provider-error.ts'
import { setDeadline } from './deadline.ts'

const nobodyLeaves = new AbortController().signal

/** What is asked of a provider for no caller, so long and no longer: the provider is told when the time is up. */
export async function askInTime<Answer>(
  ask: (call: ProviderCall) => Answer | Promise<Answer>,
  { what, ms, clock }: { readonly what: string; readonly ms: number; readonly clock: Clock },
): Promise<Answer> {
  const late = () => new ProviderError('timeout', `no answer within ${ms} ms`)
  const deadline = setDeadline(clock, ms, nobodyLeaves, late)
  const call = { signal: deadline.signal, deadline: deadline.at, requestId: what }
  try {
    // An async function: one that throws before it returns rejects as well.
    return await deadline.race((async () => ask(call))())
  } finally {
    deadline.clear()
  }
}
