import type { NewId } from '@fairlead/core/adapter'
import type { UsageRecord } from '@fairlead/core/stores'

/** The usage record of a successful text generation. */
export function someUsage(newId: NewId, facts: Partial<UsageRecord> = {}): UsageRecord {
  return {
    runId: newId('run'),
    requestId: newId('req'),
    userId: 'usr_1',
    counter: 'key_1',
    operation: 'generate',
    at: Date.parse('2026-03-14T12:00:00.000Z'),
    durationMs: 12,
    firstTokenMs: null,
    outcome: 'ok',
    charged: true,
    model: 'any',
    provider: 'calm',
    promptTokens: 2,
    completionTokens: 3,
    reasoningTokens: null,
    cachedPromptTokens: null,
    costUsd: 0.25,
    stream: false,
    cached: false,
    details: null,
    ...facts,
  }
}
