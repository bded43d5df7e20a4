import { expect } from 'vitest'
import { ProviderError } from '../../gateway/provider-error.ts'

/** A call whose caller has left rejects with the signal's reason, or with a failure of the provider's own. */
export async function expectLeft(call: Promise<unknown>, reason: unknown): Promise<void> {
  const outcome = await call.then(
    (answer) => ({ answer }),
    (error: unknown) => (error === reason || error instanceof ProviderError ? 'rejected as it should' : { error }),
  )
  expect(outcome).toBe('rejected as it should')
}
