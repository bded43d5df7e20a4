import { type Account, credentialName, rejectedAccount } from '../access.ts'
import type { FairleadError } from '../errors.ts'
import { ownLimits } from '../key-limits.ts'
import type { UsageAttempt, UsageDetails, UsageRecord } from '../quota/usage.ts'
import type { Tags } from '../schema/tags.ts'
import { chargedAccount } from './operation-run.ts'
import type { SettledCall } from './call-event.ts'
import { messageOf } from './reply.ts'
import type { OperationCall, Runtime } from './runtime.ts'

/** The record of a settled run. Undefined if the run is not metered. */
export function usageRecord(runtime: Runtime, call: OperationCall, settled: SettledCall): UsageRecord | undefined {
  const account = chargedAccount(call)
  return account && recordOf(runtime, call, account, settled)
}

/** Records a metered run of a known caller that was rejected before its settlement. It is not usage. */
export function recordRejection(runtime: Runtime, call: OperationCall, error: FairleadError): void {
  // An unavailable store rejects all requests, and could not keep their records.
  if (call.clientClosed || error.code === 'SERVICE_UNAVAILABLE') return
  const account = chargedAccount(call) ?? ownerOfKey(call, error)
  if (!account || !runtime.rejectedRuns.admits(account)) return
  runtime.rejectedRuns.add(recordOf(runtime, call, account, { outcome: error.code, charged: false, error }))
}

/** The account of a key that was rejected, as after its expiry. Tokens of sessions expire every few minutes, unseen. */
function ownerOfKey({ operation }: OperationCall, error: FairleadError): Account | undefined {
  const account = rejectedAccount(error)
  return operation.metered && account?.credential.kind === 'key' ? account : undefined
}

function recordOf({ clock }: Runtime, call: OperationCall, account: Account, settled: SettledCall): UsageRecord {
  const { userId, credential } = account
  const { runId, requestId, operation, at, firstChunkAt, modelCall } = call
  const { metadata } = ownLimits(account) ?? {}
  const tags = call.tags || metadata ? { ...call.tags, ...metadata } : undefined
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
    stream: call.isStreamed ?? null,
    cached: modelCall.provider === undefined ? null : (modelCall.cached ?? false),
    details: settled.outcome === 'ok' && (modelCall.attempts ?? 0) < 2 && !tags ? null : detailsOf(call, settled, tags),
  }
}

function detailsOf(call: OperationCall, { outcome, error }: SettledCall, tags: Tags | undefined): UsageDetails {
  return {
    message: outcome === 'ok' ? null : failureOf(call, error),
    upstreamStatus: error?.upstream?.status ?? null,
    attempts: attemptsOf(call),
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
