import * as z from 'zod'
import { instant, namedObject, recordUpTo, textUpTo, toInstant } from '@fairlead/core/feature'

/** A credential of WebAuthn that belongs to a user. */
export interface PasskeyRow {
  readonly id: string
  readonly userId: string
  /** The id that the authenticator gave it, in base64url. Unique. */
  readonly credentialId: string
  /** In the form of COSE, as base64url. */
  readonly publicKey: string
  /** The signatures that the authenticator has counted. 0 if it does not count, as for passkeys that several devices share. */
  readonly counter: number
  /** How a browser reaches the authenticator, such as `internal` and `usb`. */
  readonly transports: readonly string[]
  readonly name: string
  readonly isBackedUp: boolean
  /** Milliseconds since the epoch. */
  readonly createdAt: number
  readonly lastUsedAt: number | null
}

/** Maximum number of passkeys of a user. */
export const maxPasskeys = 20

export interface PasskeyView {
  find(id: string): Promise<PasskeyRow | undefined>
  findByCredential(credentialId: string): Promise<PasskeyRow | undefined>
  /** Lists the passkeys of a user, oldest first. */
  ofUser(userId: string): Promise<readonly PasskeyRow[]>
}

/** Passkeys are removed with their user. Who changes them holds the lock of the user. */
export interface PasskeyStore extends PasskeyView {
  /** Returns false and changes nothing if a passkey has the same credential. */
  add(passkey: PasskeyRow): Promise<boolean>
  /** Replaces the passkey with this id. Does nothing if it does not exist. */
  replace(passkey: PasskeyRow): Promise<void>
  remove(ids: readonly string[]): Promise<void>
}

/** An object of WebAuthn in its JSON form. */
export type WebAuthnJson = Record<string, unknown>

/** The result of an authenticator that has created a passkey. */
export type NewCredential = Pick<PasskeyRow, 'credentialId' | 'publicKey' | 'counter' | 'transports' | 'isBackedUp'>

/**
 * The ceremonies of WebAuthn: their options for a browser, and the checks of what it answers. Core makes the
 * challenges, in base64url. The checks resolve to undefined for what they do not accept.
 */
export interface PasskeyCeremonies {
  /** Options of `navigator.credentials.create`. */
  registrationOptions(request: {
    readonly challenge: string
    readonly user: { readonly id: string; readonly email: string; readonly name: string }
    /** The passkeys that the user has. */
    readonly known: readonly PasskeyRow[]
  }): Promise<WebAuthnJson>
  checkRegistration(response: WebAuthnJson, challenge: string): Promise<NewCredential | undefined>
  /**
   * Options of `navigator.credentials.get`.
   *
   * @param request `known`: the passkeys of the user; undefined to ask for any that the browser knows, and to verify the user
   */
  signInOptions(request: {
    readonly challenge: string
    readonly known: readonly PasskeyRow[] | undefined
  }): Promise<WebAuthnJson>
  checkSignIn(
    response: WebAuthnJson,
    expected: { readonly challenge: string; readonly passkey: PasskeyRow; readonly verifiesUser: boolean },
  ): Promise<Pick<PasskeyRow, 'counter' | 'isBackedUp'> | undefined>
}

export const passkeyName = textUpTo(100).describe('Display name.')

export const passkeyRecord = namedObject('Passkey', 'A passkey of a user, without its key.', {
  id: z.string().describe('Passkey id: `pky_` and digits.'),
  name: z.string().describe('Display name.'),
  isBackedUp: z.boolean().describe('Whether the passkey is backed up, so that it outlasts the device.'),
  createdAt: instant.describe('When the passkey was added.'),
  lastUsedAt: instant.nullable().describe('When the user last signed in with it. Null: never.'),
})

export function toPasskeyRecord({ id, name, isBackedUp, ...passkey }: PasskeyRow): z.output<typeof passkeyRecord> {
  const lastUsedAt = toInstant(passkey.lastUsedAt)
  return { id, name, isBackedUp, createdAt: toInstant(passkey.createdAt), lastUsedAt }
}

/** The answer of a browser, as `toJSON()` of its credential returns it. */
export const webAuthnResponse = recordUpTo(20, z.unknown())

/** The options with which a browser begins a ceremony. */
export const ceremony = namedObject('PasskeyCeremony', 'The options with which a browser creates or uses a passkey.', {
  token: z.string().describe('Token to send with the response of the browser, once, within five minutes.'),
  options: z
    .record(z.string(), z.unknown())
    .describe(
      'Options in JSON, for `PublicKeyCredential.parseCreationOptionsFromJSON` or `parseRequestOptionsFromJSON`.',
    ),
})
