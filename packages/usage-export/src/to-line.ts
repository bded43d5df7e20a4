import type { UsageAttempt, UsageRecord } from '@fairlead/core/stores'

/** A usage record as it is exported: the fields of `GET /requests`, without names, which may change later. */
export interface UsageLine {
  /** Unique: with it, a reader can drop a record that it got twice. */
  readonly id: string
  readonly request_id: string
  /** When the call began, in ISO 8601: `2026-11-28T12:00:00.000Z`. */
  readonly created_at: string
  /** Of a user or a project. */
  readonly user_id: string
  /** Null for calls with a session. */
  readonly key_id: string | null
  readonly operation: string
  /** `ok`, `partial`, `aborted`, or the code of an error. */
  readonly status: string
  readonly charged: boolean
  readonly model: string | null
  readonly provider: string | null
  readonly prompt_tokens: number
  readonly completion_tokens: number
  readonly reasoning_tokens: number | null
  readonly cached_prompt_tokens: number | null
  readonly cost_usd: number
  readonly duration_ms: number
  readonly first_token_ms: number | null
  readonly queued_ms: number | null
  readonly stream: boolean | null
  readonly cached: boolean | null
  readonly tags: Readonly<Record<string, string>>
  readonly error_message: string | null
  readonly upstream_status: number | null
  /** Empty for a success at the first attempt. */
  readonly attempts: readonly AttemptLine[]
}

interface AttemptLine {
  readonly provider: string
  readonly model: string
  readonly outcome: string
  readonly upstream_status: number | null
  readonly duration_ms: number
}

export function toLine(record: UsageRecord): UsageLine {
  const { details } = record
  return {
    id: record.runId,
    request_id: record.requestId,
    created_at: new Date(record.at).toISOString(),
    user_id: record.userId,
    // The sessions of a user or a project share a counter with its id.
    key_id: record.counter === record.userId ? null : record.counter,
    operation: record.operation,
    status: record.outcome,
    charged: record.charged,
    model: record.model,
    provider: record.provider,
    prompt_tokens: record.promptTokens,
    completion_tokens: record.completionTokens,
    reasoning_tokens: record.reasoningTokens,
    cached_prompt_tokens: record.cachedPromptTokens,
    cost_usd: record.costUsd,
    duration_ms: record.durationMs,
    first_token_ms: record.firstTokenMs,
    queued_ms: details?.queuedMs ?? null,
    stream: record.stream,
    cached: record.cached,
    tags: { ...details?.tags },
    error_message: details?.message ?? null,
    upstream_status: details?.upstreamStatus ?? null,
    attempts: details?.attempts.map(toAttemptLine) ?? [],
  }
}

function toAttemptLine({ provider, model, outcome, upstreamStatus, durationMs }: UsageAttempt): AttemptLine {
  return { provider, model, outcome, upstream_status: upstreamStatus, duration_ms: durationMs }
}
