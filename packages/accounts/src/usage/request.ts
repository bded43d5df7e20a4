import * as z from 'zod'
import type { Caller } from '@fairlead/core'
import { visibleOwner, instant, smallCount, toInstant, namedObject } from '@fairlead/core/feature'
import type { UsageRecord } from '@fairlead/core/stores'
import type { AccountView } from '../account-stores.ts'

const requestAttempt = namedObject('ApiRequestAttempt', 'A call to a provider.', {
  provider: z.string().describe('The provider.'),
  model: z.string().describe('Model id, as the provider knows it.'),
  outcome: z
    .string()
    .describe(
      '`ok`, `canceled`, or why it failed: `retry`, `rate_limited`, `timeout`, `credential`, `invalid_request`, `too_long`, `content_refused`, `give_up` or `defect`.',
    ),
  upstreamStatus: smallCount
    .nullable()
    .describe('HTTP status of the provider. Null for a success, and if it is unknown.'),
  durationMs: smallCount.describe('Duration in milliseconds.'),
})

export const requestRecord = namedObject('ApiRequest', 'A metered request in the usage log.', {
  id: z.string().describe('Id of this record: `run_` and digits.'),
  requestId: z
    .string()
    .describe('Id of the request, as in `X-Request-Id`. A GraphQL request has a record for each metered field.'),
  operation: z.string().describe('Operation name, such as `generate`.'),
  status: z
    .string()
    .describe(
      '`ok`, an error code, `partial` for a stream that failed or was closed after it began, or `aborted` if the client closed the request.',
    ),
  charged: z.boolean().describe('Whether the request used a unit of the quota. A rejected request did not.'),
  createdAt: instant.describe('When the request began.'),
  durationMs: smallCount.describe('Duration in milliseconds.'),
  firstTokenMs: smallCount
    .nullable()
    .describe(
      'Time from the start of the request to the first chunk of its stream, in milliseconds. Null if not streamed.',
    ),
  queuedMs: smallCount
    .nullable()
    .describe('Time that the request waited for a free slot of its model, in milliseconds. Null if it did not wait.'),
  userId: z.string().describe('The user or the project that the request belongs to.'),
  userName: z.string().nullable().describe('Name of the user or the project. Null if it was deleted.'),
  keyId: z.string().nullable().describe('API key id. Null for a request with an access token.'),
  keyName: z.string().nullable().describe('Name of the API key. Null for an access token, and for a deleted key.'),
  model: z.string().nullable().describe('Model id. Null for operations without a model.'),
  provider: z.string().nullable().describe('The last provider that was called. Null if none was.'),
  promptTokens: z.int().describe('Prompt tokens.'),
  completionTokens: z.int().describe('Completion tokens.'),
  totalTokens: z.int().describe('Total tokens.'),
  reasoningTokens: smallCount
    .nullable()
    .describe('Completion tokens that were reasoning. Null if the provider did not count them.'),
  cachedPromptTokens: smallCount
    .nullable()
    .describe('Prompt tokens that the provider read from its cache. Null if unknown.'),
  costUsd: z.number().describe('Cost in US dollars.'),
  stream: z
    .boolean()
    .nullable()
    .describe('Whether a stream was requested. Null for operations without a model, and if the input was rejected.'),
  cached: z.boolean().nullable().describe('Whether the response came from the cache. Null if no provider was chosen.'),
  tags: z.record(z.string(), z.string()).describe('Tags of the request and of its API key.'),
  errorMessage: z.string().nullable().describe('The message of the error. Null for a success.'),
  upstreamStatus: smallCount
    .nullable()
    .describe('HTTP status of the provider behind the error. Null if there was none.'),
  attempts: z
    .array(requestAttempt)
    .describe('The calls to providers in order, the last ten at most. Empty for a success with one call.'),
})

type ApiRequest = z.output<typeof requestRecord>

/** A record with the names that belong to its ids. */
export interface NamedRecord extends UsageRecord {
  readonly userName: string | null
  readonly keyName: string | null
}

/** Finds the names of the users and the API keys of records, in one query each. */
export async function withNames(
  view: Pick<AccountView, 'owners' | 'keys'>,
  records: readonly UsageRecord[],
): Promise<readonly NamedRecord[]> {
  const users = namesById(await view.owners.findMany([...new Set(records.map(({ userId }) => userId))]))
  const keys = namesById(await view.keys.findMany([...new Set(records.map(({ counter }) => counter))]))
  return records.map((record) => ({
    ...record,
    userName: users.get(record.userId) ?? null,
    keyName: keys.get(record.counter) ?? null,
  }))
}

export function namesById(
  items: readonly { readonly id: string; readonly name: string }[],
): ReadonlyMap<string, string> {
  return new Map(items.map(({ id, name }) => [id, name]))
}

export function toRequestRecord({ runId, outcome, at, counter, details, ...record }: NamedRecord): ApiRequest {
  return {
    ...record,
    id: runId,
    status: outcome,
    createdAt: toInstant(at),
    // The sessions of a user or a project share a counter with its id.
    keyId: counter === record.userId ? null : counter,
    totalTokens: record.promptTokens + record.completionTokens,
    tags: { ...details?.tags },
    errorMessage: details?.message ?? null,
    upstreamStatus: details?.upstreamStatus ?? null,
    queuedMs: details?.queuedMs ?? null,
    attempts: details ? [...details.attempts] : [],
  }
}

export function visibleRequests(caller: Caller, records: readonly UsageRecord[]): readonly UsageRecord[] {
  const only = visibleOwner(caller)
  return only === undefined ? records : records.filter(({ userId }) => userId === only)
}
