import type { Keyring } from '@fairlead/core'
import { signedTokens } from '../sessions/tokens.ts'
import type { UserRow } from './user.ts'

export const emailTokenLifeMs = 24 * 3_600_000

export type EmailTokens = ReturnType<typeof createEmailTokens>

/** Tokens that are mailed to the address of a user. They are signed, not stored, and are for that address alone. */
export function createEmailTokens(keyring: Pick<Keyring, 'mac' | 'macs'>) {
  const tokens = signedTokens(keyring, { prefix: 'flv_', purpose: 'email verification', idPrefix: 'usr', digits: 8 })
  return {
    issue: ({ id, email }: UserRow, at: number) => tokens.issue(id, at + emailTokenLifeMs, email),
    isFor(text: string, { id, email }: UserRow, at: number): boolean {
      const token = tokens.read(text, email)
      return token?.id === id && token.number > at
    },
  }
}
