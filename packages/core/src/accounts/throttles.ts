import { hash } from 'node:crypto'
import type { ThrottleReading, AccountTransaction, AccountView } from './stores.ts'
import type { FairleadError } from '../runtime/errors.ts'
import { tooManyAttempts } from './attempt-limits.ts'
import { hostOf } from './attempt-limits.ts'

const minuteMs = 60_000

/** Failures of an account that do not slow it down, what each one more adds to the delay, and the longest delay. */
const freeFailures = 20
const delayStepMs = 250
const maxDelayMs = 5_000

/** Failed logins of one account from one address, before it is refused there. */
const pairRule = { windowMs: 15 * minuteMs, max: 10 }
/** Those of the account from anywhere: they slow it down, and never lock it. More than the longest delay needs are not kept. */
const accountRule = { windowMs: 15 * minuteMs, max: freeFailures + maxDelayMs / delayStepMs }
const signupRule = { windowMs: 60 * minuteMs, max: 20 }

/** Who tries to log in, from where and when. */
export interface LoginAttempt {
  readonly email: string
  readonly address: string
  /** Milliseconds since the epoch. */
  readonly at: number
}

/**
 * How long an attempt has to wait before its password is checked, in milliseconds. Rejected with `RATE_LIMIT_EXCEEDED`
 * where too many failed before.
 */
export async function loginDelay({ throttles }: AccountView, attempt: LoginAttempt): Promise<number> {
  const { email, at } = attempt
  refuseFull(await throttles.read(pairBucket(attempt), { at, ...pairRule }), at)
  const { hits } = await throttles.read(accountBucket(email), { at, ...accountRule })
  return Math.min(maxDelayMs, Math.max(0, hits.length - freeFailures + 1) * delayStepMs)
}

/**
 * Counts an attempt whose password was wrong. Rejected with `RATE_LIMIT_EXCEEDED` where others that ran beside it were too
 * many: then the caller must not learn that the password was wrong.
 */
export async function failLogin({ throttles }: AccountTransaction, attempt: LoginAttempt): Promise<void> {
  const { email, at } = attempt
  refuseFull(await throttles.hit(pairBucket(attempt), { at, ...pairRule }), at)
  await throttles.hit(accountBucket(email), { at, ...accountRule })
}

/**
 * Forgets the failures of a user from this address, where the password was right. Rejected with `RATE_LIMIT_EXCEEDED`
 * where too many others failed while it was checked. Failures from elsewhere still count.
 */
export async function passLogin({ throttles }: AccountTransaction, attempt: LoginAttempt): Promise<void> {
  const bucket = pairBucket(attempt)
  const reading = await throttles.read(bucket, { at: attempt.at, ...pairRule })
  refuseFull(reading, attempt.at)
  if (reading.hits.length > 0) await throttles.clear(bucket)
}

/** Counts a sign-up. Rejected with `RATE_LIMIT_EXCEEDED` where there were too many. */
export async function countSignup({ throttles }: AccountTransaction, address: string, at: number): Promise<void> {
  const { granted, hits } = await throttles.hit(signupBucket(address), { at, ...signupRule })
  if (!granted) throw refusal('Too many accounts were made from here. Try again later.', hits, signupRule.windowMs, at)
}

export function pairBucket({ email, address }: LoginAttempt): string {
  return bucketName('login', email, hostOf(address))
}

export function signupBucket(address: string): string {
  return bucketName('signup', hostOf(address))
}

function accountBucket(email: string): string {
  return bucketName('login', email)
}

/** The store keeps no e-mail and no address in the clear for this. */
function bucketName(...names: readonly string[]): string {
  return hash('sha256', JSON.stringify(names), 'base64url')
}

function refuseFull({ granted, hits }: ThrottleReading, at: number): void {
  if (!granted) throw refusal('Too many logins failed. Try again later.', hits, pairRule.windowMs, at)
}

function refusal(message: string, hits: readonly number[], windowMs: number, at: number): FairleadError {
  return tooManyAttempts(message, (hits[0] ?? at) + windowMs - at)
}
