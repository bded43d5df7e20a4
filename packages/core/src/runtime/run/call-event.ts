import { createEvent } from '../events/event-type.ts'
import type { FairleadError } from '../errors.ts'
import type { Event } from '../events/events.ts'
import { ownerOf } from './operation-run.ts'
import type { OperationCall, Runtime } from './runtime.ts'
import type { UsageRecord } from '../quota/usage.ts'

/** How a run ended. */
export interface SettledCall extends Pick<UsageRecord, 'outcome' | 'charged'> {
  readonly data?: unknown
  /** Why it failed. Undefined for a success, and for a stream that its caller closed. */
  readonly error?: FairleadError | undefined
  /** Whether the result is stored under the request's Idempotency-Key. Default: false. */
  readonly isKept?: boolean
}

/** Creates the event of a settled model call. Undefined if its operation has none, or nobody subscribes to it. */
export function callEvent(
  runtime: Runtime,
  call: OperationCall,
  settled: SettledCall,
): Promise<Event | undefined> | Event | undefined {
  const { operation, caller } = call
  const declared = operation.kind === 'action' ? operation.events : undefined
  if (!declared || !runtime.eventSink) return undefined
  const { type } = settled.outcome === 'ok' ? declared.completed : declared.failed
  const wanted = runtime.eventSink.wants(type, ownerOf(caller))
  const create = (isWanted: boolean) => (isWanted ? createCallEvent(runtime, call, settled, declared) : undefined)
  return typeof wanted === 'boolean' ? create(wanted) : wanted.then(create)
}

type Declared = NonNullable<Extract<OperationCall['operation'], { kind: 'action' }>['events']>

function createCallEvent(
  { clock, newId }: Runtime,
  call: OperationCall,
  { outcome, data }: SettledCall,
  { completed, failed }: Declared,
): Event {
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
