import { FairleadError } from '@fairlead/core'
import { invalidRequest } from '@fairlead/core/adapter'
import { isCommonPassword } from './common-passwords.ts'
import { isDerivedFrom } from './derived-passwords.ts'
import { normalizeEmail } from '../users/email.ts'

/**
 * Hashes passwords with a deliberately slow function. It limits the number of hashes at a time, and rejects further ones
 * with `FairleadError` `SERVICE_UNAVAILABLE`. `share` names the origin of the work, such as a network: one share must not
 * cause the work of others to be rejected. Default: all calls without a share have one in common.
 */
export interface PasswordHasher {
  /** Returns a salted hash that contains its algorithm and parameters. */
  hash(password: string, share?: string): Promise<string>
  /** Returns whether the password matches the hash. Without a hash: false, after the same amount of work. */
  verify(password: string, hash: string | undefined, share?: string): Promise<boolean>
  /** Returns whether the hash was made with weaker parameters than this hasher's. */
  isOutdated(hash: string): boolean
}

/** Disables passwords: rejects with `FORBIDDEN`. */
export const noPasswords: PasswordHasher = {
  hash: () => reject('Passwords are disabled. To enable them, pass `passwords` to `accounts()`.'),
  verify: () => reject('Password login is disabled. Use an API key.'),
  isOutdated: () => false,
}

async function reject(message: string): Promise<never> {
  throw new FairleadError('FORBIDDEN', message)
}

/** The cost of an operation that hashes a password. It limits a GraphQL document to four of them. */
export const passwordHashCost = 1_000

/** In code points of the normal form. */
export const minPasswordLength = 12
export const maxPasswordLength = 128

/** Maximum length of a text that is normalized as a password, in UTF-16 code units: eight times the longest password. */
export const maxRawPasswordLength = 1_024

/** Normalizes a password for comparison (NFKC). Returns undefined if it is too long to be a password. */
export function normalizePassword(text: string): string | undefined {
  return text.length > maxRawPasswordLength ? undefined : text.normalize('NFKC')
}

/** The rule that a new password breaks, or undefined. @param text in the normal form NFKC */
export function passwordIssue(text: string, emails: readonly string[] = []): string | undefined {
  if (!hasLength(text)) return `must have ${minPasswordLength} to ${maxPasswordLength} characters`
  // Format characters and the Braille blank are invisible too.
  if (/^[\p{White_Space}\p{Default_Ignorable_Code_Point}\p{C}\u2800]*$/u.test(text)) return 'must not be blank'
  if (isCommonPassword(text)) return 'is one of the most common passwords: choose another one'
  const asEmail = normalizeEmail(text)
  const isEmail = emails.map(normalizeEmail).some((email) => asEmail === email || asEmail === email.split('@')[0])
  return isEmail ? 'must not be the email address' : undefined
}

/** Whose password it is, and of which service. */
export interface PasswordContext {
  /** The email addresses of the user, whose domain often is the name of the company. */
  readonly emails: readonly string[]
  /** The name of the user. */
  readonly name: string
  /** The public URL of the service. Empty if there is none. */
  readonly baseUrl: string
}

/** Throws `INVALID_REQUEST` if the password breaks a password rule. */
export function checkPassword(text: string, { emails, name, baseUrl }: PasswordContext): void {
  const issue = passwordIssue(text, emails) ?? passwordNameIssue(text, { emails, name, baseUrl })
  if (issue !== undefined) throw invalidRequest({ field: 'password', issue })
}

/** Says so if the password is little more than the name of the service, the company or the user. Otherwise undefined. */
export function passwordNameIssue(text: string, { emails, name, baseUrl }: PasswordContext): string | undefined {
  const addresses = emails.flatMap((email) => {
    const at = email.lastIndexOf('@')
    return [email.slice(0, at), withoutTopLevel(email.slice(at + 1))]
  })
  const names = [name, ...addresses, withoutTopLevel(URL.parse(baseUrl)?.hostname ?? '')]
  return isDerivedFrom(text, names) ? 'is derived from the name of the service, the company or the user' : undefined
}

function withoutTopLevel(host: string): string {
  return host.slice(0, Math.max(0, host.lastIndexOf('.')))
}

function hasLength(text: string): boolean {
  // Each character is one or two code units, so that the length of an endless text need not be counted.
  if (text.length > 2 * maxPasswordLength) return false
  const length = [...text].length
  return length >= minPasswordLength && length <= maxPasswordLength
}
