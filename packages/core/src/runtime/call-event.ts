import { createEvent } from './event-type.ts'
import type { Event } from './events.ts'
import { type Run, type Runtime, ownerOf } from './run-state.ts'
import type { UsageRecord } from './usage.ts'

/** A settled run, and its result if it succeeded. */
export interface SettledCall {
  readonly outcome: UsageRecord['outcome']
  readonly data?: unknown
}

/** Creates the event of a settled model call. Undefined if its operation has none, or nobody subscribes to it. */
export function callEvent(
  runtime: Runtime,
  run: Run,
  call: SettledCall,
): Promise<Event | undefined> | Event | undefined {
  const { operation, caller } = run
  const declared = operation.kind === 'inference' ? operation.events : undefined
  if (!declared || !runtime.eventSink) return undefined
  const { type } = call.outcome === 'ok' ? declared.completed : declared.failed
  const wanted = runtime.eventSink.wants(type, ownerOf(caller))
  const create = (isWanted: boolean) => (isWanted ? createCallEvent(runtime, run, call, declared) : undefined)
  return typeof wanted === 'boolean' ? create(wanted) : wanted.then(create)
}

type Declared = NonNullable<Extract<Run['operation'], { kind: 'inference' }>['events']>

function createCallEvent(
  { clock, newId }: Runtime,
  run: Run,
  { outcome, data }: SettledCall,
  { completed, failed }: Declared,
): Event {
  const now = clock.now()
  const facts = { id: newId('evt'), userId: ownerOf(run.caller), createdAt: now }
  const call = factsOf(run, data, now)
  return outcome === 'ok'
    ? createEvent(completed, call, facts)
    : createEvent(failed, { ...call, error: outcome }, facts)
}

function factsOf({ requestId, at, caller, modelCall }: Run, data: unknown, now: number) {
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
