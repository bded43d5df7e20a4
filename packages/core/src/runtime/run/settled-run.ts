import { type Account, credentialName } from '../access.ts'
import type { FairleadError } from '../errors.ts'
import { createEvent, type EventRow } from '../events/event-type.ts'
import type { UsageAttempt, UsageDetails, UsageRecord } from '../quota/usage.ts'
import type { Tags } from '../schema/tags.ts'
import { chargedAccount, ownerOf } from './operation-run.ts'
import { messageOf } from './reply.ts'
import type { Accepted, OperationCall, Runtime } from './runtime.ts'

/** How a run ended. */
export interface SettledCall extends Pick<UsageRecord, 'outcome' | 'charged'> {
  readonly data?: unknown
  /** Why it failed. Undefined for a success, and for a stream that its caller closed. */
  readonly error?: FairleadError | undefined
  /** Whether the result is stored under the request's Idempotency-Key. Default: false. */
  readonly isKept?: boolean
}

/**
 * Records a metered run of a known caller that was rejected before its settlement. It is not usage.
 *
 * @param accepted undefined if the request was rejected earlier
 */
export function recordRejection(
  runtime: Runtime,
  call: OperationCall,
  accepted: Accepted | undefined,
  error: FairleadError,
): void {
  // An unavailable store rejects all requests, and could not keep their records.
  if (call.clientClosed || error.code === 'SERVICE_UNAVAILABLE') return
  const account = chargedAccount(call) ?? ownerOfKey(runtime, call, error)
  if (!account || !runtime.rejectedRuns.admits(account)) return
  runtime.rejectedRuns.add(
    usageRecord(runtime, call, accepted, account, { outcome: error.code, charged: false, error }),
  )
}

/** The account of a key that was rejected, as after its expiry. Tokens of sessions expire every few minutes, unseen. */
function ownerOfKey(
  { authenticator }: Runtime,
  { operation }: OperationCall,
  error: FairleadError,
): Account | undefined {
  const account = authenticator?.rejectedAccount?.(error)
  return operation.metered && account?.credential.kind === 'key' ? account : undefined
}

/** The record of a metered run. */
export function usageRecord(
  { clock }: Runtime,
  call: OperationCall,
  accepted: Accepted | undefined,
  account: Account,
  settled: SettledCall,
): UsageRecord {
  const { userId, credential, limits } = account
  const { runId, requestId, operation, at, firstChunkAt, modelCall } = call
  const metadata = limits?.find(({ keyId }) => keyId === credential.id)?.metadata
  const isUsual = settled.outcome === 'ok' && (modelCall.attempts ?? 0) < 2 && modelCall.queuedMs === undefined
  const tags = accepted?.tags || metadata ? { ...accepted?.tags, ...metadata } : undefined
  return {
    runId,
    requestId,
    userId,
    counter: credentialName(userId, credential),
    operation: operation.name,
    at,
    durationMs: Math.max(0, clock.now() - at),
    firstTokenMs: firstChunkAt === undefined ? null : Math.max(0, firstChunkAt - at),
    outcome: settled.outcome,
    charged: settled.charged,
    model: modelCall.model ?? null,
    provider: modelCall.provider ?? null,
    promptTokens: modelCall.promptTokens ?? 0,
    completionTokens: modelCall.completionTokens ?? 0,
    reasoningTokens: modelCall.reasoningTokens ?? null,
    cachedPromptTokens: modelCall.cachedPromptTokens ?? null,
    costUsd: modelCall.costUsd ?? 0,
    stream: accepted && operation.kind === 'action' ? accepted.stream !== undefined : null,
    cached: modelCall.provider === undefined ? null : (modelCall.cached ?? false),
    details: isUsual && !tags ? null : detailsOf(call, settled, tags),
  }
}

function detailsOf(call: OperationCall, { outcome, error }: SettledCall, tags: Tags | undefined): UsageDetails {
  const { queuedMs } = call.modelCall
  return {
    message: outcome === 'ok' ? null : failureOf(call, error),
    upstreamStatus: error?.upstream?.status ?? null,
    attempts: attemptsOf(call),
    ...(queuedMs !== undefined && { queuedMs }),
    ...(tags && { tags }),
  }
}

function failureOf(call: OperationCall, error: SettledCall['error']): string {
  if (!error || call.clientClosed) return 'Client closed the request.'
  // A message can name a field or a model as the client spelled it, and PostgreSQL takes no NUL.
  return messageOf(error, call.spell)
    .toWellFormed()
    .replaceAll(/\p{Cc}+/gu, ' ')
}

const maxAttempts = 10

function attemptsOf({ modelCall }: OperationCall): readonly UsageAttempt[] {
  const attempts: UsageAttempt[] = []
  for (let attempt = modelCall.lastAttempt; attempt && attempts.length < maxAttempts; attempt = attempt.earlier) {
    attempts.unshift(attempt.toRecord())
  }
  return attempts
}

/** Creates the event of a settled model call. Undefined if its operation has none, or nobody subscribes to it. */
export function callEvent(
  runtime: Runtime,
  call: OperationCall,
  settled: SettledCall,
): Promise<EventRow | undefined> | EventRow | undefined {
  const { operation, caller } = call
  const declared = operation.kind === 'action' ? operation.events : undefined
  if (!declared || !runtime.eventSink) return undefined
  const { type } = settled.outcome === 'ok' ? declared.completed : declared.failed
  const wanted = runtime.eventSink.wants(type, ownerOf(caller))
  if (wanted === false) return undefined
  if (wanted === true) return createCallEvent(runtime, call, settled, declared)
  return wanted.then((isWanted) => (isWanted ? createCallEvent(runtime, call, settled, declared) : undefined))
}

type Declared = NonNullable<Extract<OperationCall['operation'], { kind: 'action' }>['events']>

function createCallEvent(
  { clock, newId }: Runtime,
  call: OperationCall,
  { outcome, data }: SettledCall,
  { completed, failed }: Declared,
): EventRow {
  const now = clock.now()
  const facts = { id: newId('evt'), userId: ownerOf(call.caller), createdAt: now }
  const described = factsOf(call, data, now)
  return outcome === 'ok'
    ? createEvent(completed, described, facts)
    : createEvent(failed, { ...described, error: outcome }, facts)
}

function factsOf({ requestId, at, caller, modelCall }: OperationCall, data: unknown, now: number) {
  const { promptTokens = 0, completionTokens = 0 } = modelCall
  const credential = caller.kind === 'account' ? caller.credential : undefined
  return {
    id: idOf(data) ?? requestId,
    requestId,
    model: modelCall.model ?? null,
    provider: modelCall.provider ?? null,
    usage: { promptTokens, completionTokens, totalTokens: promptTokens + completionTokens },
    costUsd: modelCall.costUsd ?? 0,
    cached: modelCall.cached ?? false,
    attempts: modelCall.attempts ?? 0,
    durationMs: Math.max(0, now - at),
    keyId: credential?.kind === 'key' ? credential.id : null,
    sessionId: credential?.kind === 'session' ? credential.id : null,
  }
}

function idOf(data: unknown): string | undefined {
  if (typeof data !== 'object' || data === null || !('id' in data)) return undefined
  return typeof data.id === 'string' ? data.id : undefined
}
