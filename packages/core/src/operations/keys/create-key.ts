import { z } from 'zod'
import { displayPrefix, newApiKeyToken } from '../../access/api-key-token.ts'
import { hashToken } from '../../access/checked-token.ts'
import { requireAccount } from '../../access/require-account.ts'
import type { Transaction } from '../../ports/stores.ts'
import { defineOperation } from '../../runtime/define-operation.ts'
import { type ApiKey, scopes } from '../../values/api-key.ts'
import { FairleadError } from '../../values/fairlead-error.ts'
import { invalidRequest } from '../../values/invalid-request.ts'
import { periodOf, startOf } from '../../values/period.ts'
import type { Tier, User } from '../../values/user.ts'
import { dateTime, textUpTo } from '../field-schemas.ts'
import { checkGrant, keyEventData, keyWithSecret, presentUser, toKeyRecord } from './key-record.ts'

/** How many of a user's keys can be used in one month, so that new keys don't bring new quotas without end. */
const mostKeys = { free: 3, pro: 20, enterprise: 100 } as const satisfies Record<Tier, number>

/** Makes an API key. Its secret is in the answer, and nowhere else. */
export const createKey = defineOperation({
  name: 'createApiKey',
  summary: 'Creates an API key. The secret is shown only once.',
  kind: 'write',
  access: { scope: 'keys' },
  metered: false,
  rest: { method: 'POST', path: '/api-keys' },
  graphql: { mutation: 'createApiKey' },
  input: z.strictObject({
    name: textUpTo(100).describe('Display name.'),
    scopes: z
      .array(z.enum(scopes))
      .max(scopes.length)
      .min(1)
      .refine((list) => new Set(list).size === list.length, { error: 'must not name a scope twice' })
      .meta({ uniqueItems: true })
      .default(['generate', 'analyze', 'models'])
      .describe('Scopes of the key: at most those of the caller’s own credential.'),
    expiresAt: dateTime.nullable().default(null).describe('When the key expires. Default: never.'),
  }),
  output: keyWithSecret,
  creates: true,
  errors: ['CONFLICT'],
  async apply(tx, call, { name, scopes: granted, expiresAt }) {
    const account = requireAccount(call.caller)
    checkGrant(account, granted)
    const user = presentUser(await tx.users.take(account.userId))
    await checkCount(tx, user, call.at)
    const secret = newApiKeyToken()
    const key: ApiKey = {
      id: call.newId('key'),
      userId: user.id,
      name,
      prefix: displayPrefix(secret),
      scopes: granted,
      createdAt: call.at,
      lastUsedAt: null,
      expiresAt: futureInstant(expiresAt, call.at),
      revokedAt: null,
    }
    await tx.keys.add(key, hashToken(secret))
    call.emit('api_key.created', keyEventData(key))
    return { ...toKeyRecord(key, user), secret }
  },
})

async function checkCount({ keys }: Transaction, { id, tier }: User, at: number): Promise<void> {
  const most = mostKeys[tier]
  if ((await keys.countAliveSince(id, startOf(periodOf(at)))) < most) return
  throw new FairleadError(
    'CONFLICT',
    `The tier "${tier}" has at most ${most} API keys a month, those counted that were revoked or expired in it.`,
  )
}

function futureInstant(text: string | null, now: number): number | null {
  if (text === null) return null
  const instant = Date.parse(text)
  if (instant > now) return instant
  throw invalidRequest({ field: 'expiresAt', issue: 'must be in the future' })
}
