import { gunzipSync } from 'node:zlib'
import { someUsage } from '@fairlead/testing'
import { createIds } from '@fairlead/core/adapter'
import { expect, test } from 'vitest'
import { ndjsonFiles } from './ndjson-files.ts'

const newId = createIds(Date.now)

async function written(...records: readonly ReturnType<typeof someUsage>[]) {
  const files: Record<string, unknown[]> = {}
  const destination = ndjsonFiles({
    name: 'here',
    async put(path, bytes) {
      const lines = gunzipSync(bytes).toString().trimEnd().split('\n')
      files[path] = lines.map((line) => JSON.parse(line) as unknown)
    },
  })
  await destination.write({ id: 'usage-7', records }, new AbortController().signal)
  return files
}

test('ndjsonFiles writes a line for each record, in a file for each day', async () => {
  const [late, early] = [
    someUsage(newId, { at: Date.UTC(2026, 10, 28, 0, 0, 1) }),
    someUsage(newId, { at: Date.UTC(2026, 10, 27, 23, 59, 59) }),
  ]
  expect(await written(late, early)).toMatchObject({
    'date=2026-11-28/usage-7.ndjson.gz': [{ id: late.runId }],
    'date=2026-11-27/usage-7.ndjson.gz': [{ id: early.runId }],
  })
})

test('ndjsonFiles writes the fields of GET /requests', async () => {
  const record = someUsage(newId, {
    at: Date.UTC(2026, 10, 28),
    outcome: 'PROVIDER_ERROR',
    details: {
      message: 'The provider failed.',
      upstreamStatus: 500,
      attempts: [{ provider: 'openai', model: 'gpt-5', outcome: 'retry', upstreamStatus: 500, durationMs: 12 }],
      tags: { team: 'search' },
    },
  })
  expect(Object.values(await written(record))).toEqual([
    [
      {
        id: record.runId,
        request_id: record.requestId,
        created_at: '2026-11-28T00:00:00.000Z',
        user_id: record.userId,
        key_id: record.counter,
        operation: record.operation,
        status: 'PROVIDER_ERROR',
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
        queued_ms: null,
        stream: record.stream,
        cached: record.cached,
        tags: { team: 'search' },
        error_message: 'The provider failed.',
        upstream_status: 500,
        attempts: [{ provider: 'openai', model: 'gpt-5', outcome: 'retry', upstream_status: 500, duration_ms: 12 }],
      },
    ],
  ])
})

test('ndjsonFiles writes no key for a call of a session', async () => {
  const record = someUsage(newId, { userId: 'usr_1', counter: 'usr_1' })
  expect(Object.values(await written(record))).toMatchObject([[{ user_id: 'usr_1', key_id: null }]])
})
