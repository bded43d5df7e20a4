import { FairleadError, invalidRequest } from '../runtime/errors.ts'
import { isCommonPassword } from './common-passwords.ts'
import { normalizeEmail } from './email.ts'

/**
 * Hashes passwords, slowly on purpose. It bounds how many at once: beyond that it rejects with `FairleadError`
 * `SERVICE_UNAVAILABLE`. `share` names for whom it works, such as a network: one share must not make it reject the work
 * of others. Default: one share for all calls that name none.
 */
export interface PasswordHasher {
  /** A salted hash that tells by itself how it was made. */
  hash(password: string, share?: string): Promise<string>
  /** Whether the password made the hash. Without a hash: false, after the same work. */
  verify(password: string, hash: string | undefined, share?: string): Promise<boolean>
  /** Whether a hash was made more weakly than this hasher would. */
  isOutdated(hash: string): boolean
}

/** Refuses everything that needs a password: for programs that sign nobody in. */
export const noPasswords: PasswordHasher = {
  hash: refuse,
  verify: refuse,
  isOutdated: () => false,
}

async function refuse(): Promise<never> {
  throw new FairleadError('FORBIDDEN', 'Password login is disabled. Use an API key.')
}

/** The cost of an operation that hashes a password: a GraphQL document may have at most four of them. */
export const passwordHashCost = 1_000

/** In code points, of the normal form. */
export const minPasswordLength = 12
export const maxPasswordLength = 128

/** The longest text that is normalized as a password, in UTF-16 code units: eight times what a password may have. */
export const maxRawPasswordLength = 1_024

/** A password in the form in which it is compared (NFKC); undefined where it is too long to be one. */
export function normalizePassword(text: string): string | undefined {
  return text.length > maxRawPasswordLength ? undefined : text.normalize('NFKC')
}

/**
 * What is wrong with a text, in the normal form NFKC, as a new password; undefined where nothing is.
 *
 * @param emails of the user whose password it is to be
 */
export function passwordIssue(text: string, emails: readonly string[] = []): string | undefined {
  if (!hasLength(text)) return `must have ${minPasswordLength} to ${maxPasswordLength} characters`
  // Format characters and the Braille blank show nothing either.
  if (/^[\p{White_Space}\p{Default_Ignorable_Code_Point}\p{C}\u2800]*$/u.test(text)) return 'must not be blank'
  if (isCommonPassword(text)) return 'is one of the most common passwords: choose another'
  const typed = normalizeEmail(text)
  const isEmail = emails.map(normalizeEmail).some((email) => typed === email || typed === email.split('@')[0])
  return isEmail ? 'must not be the e-mail address' : undefined
}

/** Rejected with `INVALID_REQUEST` where no user with these e-mail addresses may choose that password. */
export function checkPassword(text: string, emails: readonly string[]): void {
  const issue = passwordIssue(text, emails)
  if (issue !== undefined) throw invalidRequest({ field: 'password', issue })
}

function hasLength(text: string): boolean {
  // Each character is one or two code units, so that the length of an endless text need not be counted.
  if (text.length > 2 * maxPasswordLength) return false
  const length = [...text].length
  return length >= minPasswordLength && length <= maxPasswordLength
}
