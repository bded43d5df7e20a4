import { z } from 'zod'
import { displayPrefix, newApiKeyToken } from '../../access/api-key-token.ts'
import { hashToken } from '../../access/checked-token.ts'
import { requireAccount } from '../../access/require-account.ts'
import { defineOperation } from '../../runtime/define-operation.ts'
import { type ApiKey, maxGraceMs } from '../../values/api-key.ts'
import { FairleadError } from '../../values/fairlead-error.ts'
import { integerBetween } from '../field-schemas.ts'
import { checkGrant, keyEventData, keyWithSecret, ownKey, presentUser, toKeyRecord } from './key-record.ts'
import type { AccountServices } from '../../accounts/account-services.ts'

/** Gives a key a new secret under the same id and counters. Two secrets at most are good at a time. */
export const rotateKey = defineOperation({
  name: 'rotateApiKey',
  summary: 'Gives an API key a new secret. The old one can stay valid for a grace period.',
  kind: 'write',
  access: { scope: 'keys' },
  metered: false,
  rest: { method: 'POST', path: '/api-keys/{id}/rotate' },
  graphql: { mutation: 'rotateApiKey' },
  input: z.strictObject({
    id: z.string().describe('API key id.'),
    graceSeconds: integerBetween(0, maxGraceMs / 1000)
      .default(0)
      .describe('How many seconds the old secret stays valid.'),
  }),
  output: keyWithSecret,
  errors: ['NOT_FOUND', 'CONFLICT'],
  async apply(tx, call, { id, graceSeconds }) {
    const account = requireAccount(call.caller)
    const user = presentUser(await tx.users.take(account.userId))
    const before = ownKey(account, await tx.keys.find(id))
    checkGrant(account, before.scopes)
    checkGood(before, call.at)
    const secret = newApiKeyToken()
    const key = { ...before, prefix: displayPrefix(secret) }
    await tx.keys.rotate(id, {
      hash: hashToken(secret),
      prefix: key.prefix,
      previousUntil: graceSeconds > 0 ? call.at + graceSeconds * 1000 : null,
    })
    call.emit('api_key.rotated', keyEventData(key))
    call.afterCommit(({ authenticator }: AccountServices) => authenticator.forget({ credentialId: id }))
    return { ...toKeyRecord(key, user), secret }
  },
})

function checkGood({ revokedAt, expiresAt }: ApiKey, now: number): void {
  if (revokedAt !== null) throw new FairleadError('CONFLICT', 'The API key was revoked: make a new one.')
  if (expiresAt !== null && expiresAt <= now) {
    throw new FairleadError('CONFLICT', 'The API key has expired: make a new one.')
  }
}
