import { hash } from 'node:crypto'
import type { ThrottleReading, AccountTransaction, AccountView } from '../account-stores.ts'
import { tooManyAttempts } from './attempt-limits.ts'
import { readHost } from '@fairlead/core/feature'

const minuteMs = 60_000

/** Each failed login of an account beyond `freeFailures` adds `delayStepMs` to the delay of the next one. */
const freeFailures = 20
const delayStepMs = 250
const maxDelayMs = 5_000

/** Failed logins of one account from one client. A full window blocks the account for that client. */
const pairRule = { windowMs: 15 * minuteMs, max: 10, message: 'Too many failed logins. Try again later.' }
/** Failed logins of one account from anywhere. They delay logins but never lock the account. */
const accountRule = { windowMs: 15 * minuteMs, max: freeFailures + maxDelayMs / delayStepMs }
const signupRule = {
  windowMs: 60 * minuteMs,
  max: 20,
  message: 'Too many sign-ups from this address. Try again later.',
}

const memberSearchRule = {
  windowMs: 60 * minuteMs,
  max: 100,
  message: 'Too many members added by email address. Use ids of users, or try again later.',
}

const addressMailRule = {
  windowMs: 24 * 60 * minuteMs,
  max: 5,
  message: 'Too many mails to your email address. Try again later.',
}

const invitationMailRule = { windowMs: 24 * 60 * minuteMs, max: 10 }

export interface LoginAttempt {
  readonly email: string
  readonly address: string
  /** Milliseconds since the epoch. */
  readonly at: number
}

/** How long to delay a login, in milliseconds. Rejects with `RATE_LIMIT_EXCEEDED` after too many failed attempts. */
export async function loginDelay({ throttles }: AccountView, attempt: LoginAttempt): Promise<number> {
  const { email, at } = attempt
  requireGranted(await throttles.read(pairBucket(attempt), { at, ...pairRule }), at)
  const { hits } = await throttles.read(bucketName('login', email), { at, ...accountRule })
  return Math.min(maxDelayMs, Math.max(0, hits.length - freeFailures + 1) * delayStepMs)
}

/**
 * Counts an attempt with a wrong password. Rejects with `RATE_LIMIT_EXCEEDED` if concurrent attempts used up the limit:
 * the response must then not reveal that the password was wrong.
 */
export async function failLogin({ throttles }: AccountTransaction, attempt: LoginAttempt): Promise<void> {
  const { email, at } = attempt
  requireGranted(await throttles.hit(pairBucket(attempt), { at, ...pairRule }), at)
  await throttles.hit(bucketName('login', email), { at, ...accountRule })
}

/**
 * Resets the failed attempts of a user from this client after a correct password. Rejects with `RATE_LIMIT_EXCEEDED` if
 * too many concurrent attempts failed. Failed attempts of other clients still count.
 */
export async function passLogin({ throttles }: AccountTransaction, attempt: LoginAttempt): Promise<void> {
  const bucket = pairBucket(attempt)
  const reading = await throttles.read(bucket, { at: attempt.at, ...pairRule })
  requireGranted(reading, attempt.at)
  if (reading.hits.length > 0) await throttles.clear(bucket)
}

/** Counts a sign-up. Rejects with `RATE_LIMIT_EXCEEDED` after too many from one client. */
export async function countSignup({ throttles }: AccountTransaction, address: string, at: number): Promise<void> {
  requireGranted(await throttles.hit(signupBucket(address), { at, ...signupRule }), at, signupRule)
}

/** Counts a search for the user with an email address. Rejects with `RATE_LIMIT_EXCEEDED` after too many by one user. */
export async function countMemberSearch({ throttles }: AccountTransaction, userId: string, at: number): Promise<void> {
  const bucket = bucketName('member search', userId)
  requireGranted(await throttles.hit(bucket, { at, ...memberSearchRule }), at, memberSearchRule)
}

/** Counts a mail with an invitation. Returns false after too many by one user, who could send mail to anyone. */
export async function countInvitationMail(
  { throttles }: AccountTransaction,
  userId: string,
  at: number,
): Promise<boolean> {
  const bucket = bucketName('invitation mail', userId)
  return (await throttles.hit(bucket, { at, ...invitationMailRule })).granted
}

/** Counts a mail to the address of a user. Returns false after too many: a user can choose the address of anyone. */
export async function mayMailAddress(tx: AccountTransaction, userId: string, at: number): Promise<boolean> {
  return (await hitAddressMail(tx, userId, at)).granted
}

/** Counts a mail to the address of a user. Rejects with `RATE_LIMIT_EXCEEDED` after too many. */
export async function countAddressMail(tx: AccountTransaction, userId: string, at: number): Promise<void> {
  requireGranted(await hitAddressMail(tx, userId, at), at, addressMailRule)
}

function hitAddressMail({ throttles }: AccountTransaction, userId: string, at: number): Promise<ThrottleReading> {
  return throttles.hit(bucketName('address mail', userId), { at, ...addressMailRule })
}

export function pairBucket({ email, address }: LoginAttempt): string {
  return bucketName('login', email, readHost(address))
}

export function signupBucket(address: string): string {
  return bucketName('signup', readHost(address))
}

/** Hashed, so that the store keeps no plain email, network address, or token. */
export function bucketName(...names: readonly string[]): string {
  return hash('sha256', JSON.stringify(names), 'base64url')
}

function requireGranted({ granted, hits }: ThrottleReading, at: number, { message, windowMs } = pairRule): void {
  if (!granted) throw tooManyAttempts(message, (hits[0] ?? at) + windowMs - at)
}
