import { timingSafeEqual } from 'node:crypto'
import type { Keyring } from '@fairlead/core'

/** The content of the mail with an invitation. */
export interface InvitationMail {
  /** The id of the invitation. */
  readonly id: string
  readonly email: string
  /** With a proof of the email address, which the token that the inviter gets lacks. */
  readonly token: string
  /** The name of the project. */
  readonly project: string
  /** The name of the user who invites. Null if a program does. */
  readonly invitedBy: string | null
}

export type InvitationProofs = ReturnType<typeof createInvitationProofs>

/**
 * The tokens of invitations as they are mailed: who has one reads the mail of the address. The inviter has only the token
 * without the proof.
 */
export function createInvitationProofs(keyring: Pick<Keyring, 'mac' | 'macs'>) {
  const purpose = 'mailed invitation'
  return {
    add: (token: string): string => `${token}.${Buffer.from(keyring.mac(purpose, token)).toString('base64url')}`,
    /** The token without its proof, and whether it had one. Undefined if the proof is wrong. */
    read(text: string): { readonly token: string; readonly isMailed: boolean } | undefined {
      const [token = '', proof, ...others] = text.split('.')
      if (proof === undefined) return { token, isMailed: false }
      const sent = Buffer.from(proof, 'base64url')
      const isGenuine = keyring
        .macs(purpose, token)
        .some((mac) => mac.length === sent.length && timingSafeEqual(mac, sent))
      return isGenuine && others.length === 0 ? { token, isMailed: true } : undefined
    },
  }
}
