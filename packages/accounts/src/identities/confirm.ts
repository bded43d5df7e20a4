import { FairleadError, type OperationRun } from '@fairlead/core'
import type { AccountServices } from '../services.ts'
import { confirmedForMs } from '../sessions/session.ts'
import { bucketName } from '../sessions/throttles.ts'
import type { SessionRow } from '../account-stores.ts'
import type { IdentityGrants } from './issuer-tokens.ts'

/** Early, so that sessions outlast an outage of the issuer. */
const confirmAfterMs = confirmedForMs / 2
/** How long another attempt waits for one that has not ended. */
const attemptMs = 60_000

/** The session is confirmed: what to store with it. */
export interface Confirmation {
  readonly userId: string
  readonly issuerToken: string
  readonly grants: IdentityGrants
}

/**
 * Asks the issuer to confirm a session, at least daily. `ended` if the session must not continue. Undefined if there is nothing
 * to confirm yet. Throws `SERVICE_UNAVAILABLE` if the issuer does not respond in time.
 */
export async function confirmSession(
  services: Pick<AccountServices, 'stores' | 'confirmIdentity' | 'issuerTokens'>,
  { at, signal }: Pick<OperationRun, 'at' | 'signal'>,
  { id, userId, confirmedAt, issuerToken: sealed }: SessionRow,
): Promise<Confirmation | 'ended' | undefined> {
  if (confirmedAt === null || sealed === null || at - confirmedAt < confirmAfterMs) return undefined
  const { stores, confirmIdentity, issuerTokens } = services
  const isOverdue = at - confirmedAt >= confirmedForMs
  const token = issuerTokens.open(sealed, id)
  if (!confirmIdentity || !token) return isOverdue ? 'ended' : undefined
  // A provider can take a refresh token that is used twice for a stolen one.
  const attempt = bucketName('confirm session', id)
  const { granted } = await stores.transact((tx) => tx.throttles.hit(attempt, { at, windowMs: attemptMs, max: 1 }))
  if (!granted && isOverdue) throw unconfirmed()
  if (!granted) return undefined
  try {
    const confirmed = await confirmIdentity(token, signal)
    if (!confirmed) return 'ended'
    const { token: next = token.token, ...grants } = confirmed
    return { userId, grants, issuerToken: issuerTokens.seal({ ...token, token: next }, id) }
  } catch (error) {
    await stores.transact((tx) => tx.throttles.clear(attempt))
    if (isOverdue) throw unconfirmed(error)
    return undefined
  }
}

function unconfirmed(cause?: unknown): FairleadError {
  const message = 'The issuer of your identity does not respond. Try again.'
  return new FairleadError('SERVICE_UNAVAILABLE', message, { retryAfterMs: 5_000, cause })
}
