import { type Spending, spendQueue, toUsd } from '../budgets/budget.ts'
import { estimateRun, planSpending, reserveSpending } from '../budgets/spending.ts'
import { limitsFrom, quotaExceeded, reserveEach } from '../quota/quota.ts'
import type { Claim } from '../stores/stores.ts'
import type { Account } from '../access.ts'
import type { Clock } from '../clock.ts'
import { type HeldLimits, chargedAccount } from './operation-run.ts'
import type { BurstLimit } from './envelope.ts'
import { FairleadError } from '../errors.ts'
import type { AppliedLimits } from '../key-limits.ts'
import { holdClaim, takeClaim } from './idempotency.ts'
import type { Planned } from '../operation.ts'
import type { OperationCall, Prepared, Reserved, Runtime } from './runtime.ts'
import type { RateReading } from '../quota/rate-limit.ts'

const windowMs = 60_000

/**
 * Counts a metered run toward the limits of requests per minute of its key, of the keys that this one descends from, and of
 * its user, whose credentials share one.
 */
export async function countRequest(runtime: Runtime, call: OperationCall, account: Account): Promise<void> {
  for (const { keyId, requestsPerMinute: limit } of account.limits ?? []) {
    if (limit === undefined) continue
    const facts = { limit: call.spell('requestsPerMinute') }
    await count(runtime, call, keyId, limit, `${limit} requests per minute of ${nameOf(account, keyId)}`, facts)
  }
  const ofUser = runtime.requestsPerMinute[account.tier]
  if (ofUser !== undefined) await count(runtime, call, account.userId, ofUser, `${ofUser} requests per minute`)
}

/** The API key of the caller, or the one that it descends from. */
function nameOf({ credential }: Account, keyId: string): string {
  return keyId === credential.id ? 'this API key' : `the API key ${keyId}, from which this one descends`
}

async function count(
  runtime: Runtime,
  call: OperationCall,
  key: string,
  limit: number,
  name: string,
  facts?: Readonly<Record<string, string>>,
): Promise<void> {
  const reading = await runtime.rateLimiter.take(key, { limit, windowMs })
  const burst: BurstLimit = {
    limit,
    windowMs,
    remaining: reading.remaining,
    resetAt: runtime.clock.now() + reading.resetMs,
  }
  // The tighter one, if there are two.
  if (!call.burst || burst.remaining <= call.burst.remaining) call.burst = burst
  requireGranted(runtime, reading, name, facts)
}

/** Counts a change that costs no unit, before anything that costs more, such as resolving the host name of a webhook. */
export async function countWrite(runtime: Runtime, { userId }: Account): Promise<void> {
  const { rateLimiter, writesPerMinute: limit } = runtime
  const reading = await rateLimiter.take(`writes of ${userId}`, { limit, windowMs })
  requireGranted(runtime, reading, `${limit} changes per minute`)
}

/**
 * Acquires what a model call takes of the limits of its key, and of the keys that this one descends from. `releaseLimits`
 * gives it back, whatever becomes of the call.
 */
export async function holdLimits(
  runtime: Runtime,
  call: OperationCall,
  limits: readonly AppliedLimits[],
  planned: Planned,
): Promise<void> {
  const { operation, caller } = call
  if (operation.kind !== 'action' || caller.kind !== 'account') return
  let estimated: number | undefined
  for (const { keyId, maxConcurrency, tokensPerMinute: limit } of limits) {
    const name = nameOf(caller, keyId)
    if (maxConcurrency !== undefined) {
      const lease = await runtime.rateLimiter.acquire(keyId, maxConcurrency)
      if (!lease) throw tooManyAtOnce(call, name, maxConcurrency)
      call.hold(lease)
    }
    if (limit === undefined) continue
    estimated ??= estimateRun(call, planned)?.tokens ?? 0
    if (estimated === 0) continue
    // A call that may take more than a minute's tokens waits until all of them are available.
    const reserved = Math.min(estimated, limit)
    const key = `tokens of ${keyId}`
    const reading = await runtime.rateLimiter.take(key, { limit, windowMs }, reserved)
    requireGranted(runtime, reading, `${limit} tokens per minute of ${name}`, {
      limit: call.spell('tokensPerMinute'),
      tokens: reserved,
    })
    call.held ??= { leases: [], tokens: [] }
    call.held.tokens.push({ reserved, limit, key })
  }
}

/** Counts an event stream toward those that its credential and its account may have open, until `releaseLimits`. */
export async function holdEventStream(runtime: Runtime, call: OperationCall): Promise<void> {
  const { rateLimiter, eventStreams } = runtime
  const { caller } = call
  if (caller.kind !== 'account') return
  const { userId, credential } = caller
  const counts = [
    [credential.id, eventStreams.perKey, credential.kind === 'key' ? 'This API key' : 'This session'],
    [userId, eventStreams.perAccount, 'This account'],
  ] as const
  for (const [id, max, name] of counts) {
    const lease = await rateLimiter.acquire(`event streams of ${id}`, max)
    if (!lease) throw tooManyStreams(name, max)
    call.hold(lease)
  }
}

function tooManyStreams(name: string, max: number): FairleadError {
  const streams = max === 1 ? 'an event stream' : `${max} event streams`
  return new FairleadError(
    'RATE_LIMIT_EXCEEDED',
    `${name} has ${streams} open, and may have no more. Close one, or try again in 10 s.`,
    { retryAfterMs: 10_000 },
  )
}

/** Releases the leases of a run that has ended, and corrects its tokens to those that it used. */
export function releaseLimits({ rateLimiter }: Runtime, call: OperationCall, { leases, tokens }: HeldLimits): void {
  call.held = undefined
  for (const lease of leases) lease.release()
  for (const { key, limit, reserved } of tokens)
    void rateLimiter.charge(key, { limit, windowMs }, usedTokens(call, reserved) - reserved)
}

/** Of an answer that broke off, the provider may not have said how much it took: it then counts as estimated. */
function usedTokens({ modelCall, outcome }: OperationCall, reserved: number): number {
  const { promptTokens, completionTokens = 0, attempts = 0, cached } = modelCall
  if (promptTokens !== undefined) return promptTokens + completionTokens
  const isUnknown = attempts > 0 && !cached && (outcome === 'aborted' || outcome === 'partial')
  return isUnknown ? reserved : 0
}

function tooManyAtOnce(call: OperationCall, name: string, max: number): FairleadError {
  const calls = max === 1 ? 'a model call' : `${max} model calls`
  return new FairleadError(
    'RATE_LIMIT_EXCEEDED',
    `${name[0]?.toUpperCase()}${name.slice(1)} has ${calls} in progress, and may have no more at the same time. Try again in 1 s.`,
    { retryAfterMs: 1_000, facts: { limit: call.spell('maxConcurrency') } },
  )
}

function requireGranted(
  { observer }: Runtime,
  { granted, resetMs, fellBack }: RateReading,
  limit: string,
  facts?: Readonly<Record<string, string | number>>,
): void {
  if (fellBack) observer.rateLimiterFellBack?.()
  if (granted) return
  const seconds = Math.ceil(resetMs / 1_000)
  throw new FairleadError('RATE_LIMIT_EXCEEDED', `The limit of ${limit} is exceeded. Try again in ${seconds} s.`, {
    retryAfterMs: resetMs,
    facts,
  })
}

/** Reserves the unit of a run, if it is metered. Throws `QUOTA_EXCEEDED`. */
export async function reserveUnit({ clock }: Runtime, call: OperationCall, prepared: Prepared): Promise<Reserved> {
  const account = chargedAccount(call)
  if (!account) return prepared
  if (account.sharedQuotas) {
    const { unit, limits } = await reserveShared(clock, call, account)
    call.limits = limits
    return { ...prepared, unit }
  }
  const { counter, limit } = account
  const reading = await call.services.stores.reserve(counter, limit)
  call.limits = limitsFrom(reading, limit)
  if (!reading.granted && call.limits) throw quotaExceeded(call.limits, clock.now())
  return { ...prepared, unit: { counter, limit, period: reading.period } }
}

function reserveShared(clock: Clock, { services }: OperationCall, account: Account): ReturnType<typeof reserveEach> {
  return services.stores.transact((tx) => reserveEach(tx.counters, account, clock.now()), { durable: false })
}

/** The claim of an earlier request with the same Idempotency-Key. */
interface Taken {
  readonly existing: Claim
}

/** Claims the key of a run that works outside of a transaction, and reserves its unit and what it may cost. */
export function reserve(runtime: Runtime, call: OperationCall, prepared: Prepared): Promise<Reserved | Taken> {
  const account = chargedAccount(call)
  if (account?.budgets) {
    const { userId, budgets } = account
    return reserveInBudgets(runtime, call, prepared, { userId, budgets })
  }
  return prepared.accepted.claim ? reserveTogether(runtime, call, prepared) : reserveUnit(runtime, call, prepared)
}

/** A run that its budgets have no room for is reserved without them if its response is stored. */
async function reserveInBudgets(
  runtime: Runtime,
  call: OperationCall,
  prepared: Prepared,
  account: Pick<Spending, 'userId' | 'budgets'>,
): Promise<Reserved | Taken> {
  let spending: Spending | undefined
  try {
    spending = planSpending(runtime, call, account, prepared)
    return await reserveTogether(runtime, call, prepared, spending)
  } catch (error) {
    const plan = await findStored(call, prepared, error)
    if (plan !== undefined) return reserveTogether(runtime, call, { ...prepared, plan })
    if (spending?.exhausted) {
      await runtime.budgetWatch?.refused(call.services.stores, account.userId, spending.exhausted)
    }
    throw error
  }
}

async function findStored(call: OperationCall, planned: Planned, error: unknown): Promise<unknown> {
  const { operation, services } = call
  if (!(error instanceof FairleadError && error.code === 'BUDGET_EXCEEDED')) return undefined
  return operation.kind === 'action' ? operation.findStored?.(services, call, planned) : undefined
}

/** Reserves in one transaction all that the run needs. */
async function reserveTogether(
  runtime: Runtime,
  call: OperationCall,
  prepared: Prepared,
  spending?: Spending,
): Promise<Reserved | Taken> {
  const { claim } = prepared.accepted
  if (!claim && !spending) return reserveUnit(runtime, call, prepared)
  const account = chargedAccount(call)
  const taken = await call.services.stores.transact(
    async (tx): Promise<Taken | Partial<Awaited<ReturnType<typeof reserveEach>>>> => {
      const existing = claim && (await takeClaim(runtime, tx, call, claim))
      if (existing) return { existing }
      const reserved = account && (await reserveEach(tx.counters, account, runtime.clock.now()))
      // Last, because all calls of a user may share the rows, which stay locked until the commit.
      if (spending) await reserveSpending(runtime, tx, call, spending)
      return { ...reserved }
    },
    { durable: claim !== undefined, queue: spendQueue(spending) },
  )
  if ('existing' in taken) return taken
  call.limits = taken.limits
  if (spending) call.reservedUsd = toUsd(spending.amount)
  if (claim) holdClaim(runtime, call, claim)
  return { ...prepared, unit: taken.unit, spending }
}
