import { createEvent } from './event-type.ts'
import type { Event, EventSink } from './events.ts'
import type { Account, Caller, Authenticator } from './access.ts'
import type { Call, AfterCommit, ModelCall, NativeRequest, Services, IfMatch } from './call.ts'
import type { Operation } from './operation.ts'
import type { Limits, BurstLimit, PageMeta, ListedRecord } from './envelope.ts'
import type { Issue } from './errors.ts'
import type { Cipher } from './keyring.ts'
import type { Clock } from './clock.ts'
import type { FailureBudget } from './failure-budget.ts'
import type { Log } from './log.ts'
import type { NewId } from './id.ts'
import type { InFlight } from './in-flight.ts'
import type { PendingSettlements } from './pending-settlements.ts'
import type { QuotaWatch } from './quota-events.ts'
import type { RateLimiter, RequestsPerMinute } from './rate-limit.ts'

/** Converts a field path from camelCase to the spelling of a transport. */
export type SpellField = (field: string) => string

/** Options of a run, besides credentials and input. */
export interface RunOptions {
  /** The id of the request in the response and in logs. Default: a new id. */
  readonly requestId?: string | undefined
  /** Aborts when the caller closes the request. Default: never. */
  readonly signal?: AbortSignal | undefined
  /** The spelling of field names in errors and warnings. Default: camelCase. */
  readonly spell?: SpellField | undefined
  /** Rejects with `PRECONDITION_FAILED` unless the record has one of these versions. Default: any version. */
  readonly ifMatch?: IfMatch | undefined
  /**
   * Runs the operation once per caller and key within 24 hours; repeated requests get the stored response. 1 to 255
   * visible ASCII characters. Default: none.
   */
  readonly idempotencyKey?: string | undefined
  /** The request in the form of its own API, for `generate`; a function is called once the input was read. Default: none. */
  readonly native?: NativeRequest | (() => NativeRequest | undefined) | undefined
  /** The network address of the caller, for login and sign-up limits. Default: one shared by all callers without one. */
  readonly address?: string | undefined
  /** The path under which the transport is mounted, for the addresses of images. Default: the root. */
  readonly basePath?: string | undefined
  /** The longest result of `embed` that the adapter can write, as JSON in bytes. Default: no limit. */
  readonly maxResultBytes?: number | undefined
  /**
   * How long to wait for the first chunk before the stream begins without it, in milliseconds. A failure before the stream
   * begins is an ordinary failure reply. Default: 5,000.
   */
  readonly firstChunkMs?: number | undefined
  /** Called after authentication, but not for anonymous requests. For logs. */
  readonly onIdentified?: ((caller: IdentifiedCaller) => void) | undefined
  /** Called with facts about the model call as they become known, such as its model. For logs. */
  readonly onModelCall?: ((facts: Partial<ModelCall>) => void) | undefined
}

/** The ids of an authenticated caller. They contain no secrets. */
export interface IdentifiedCaller {
  readonly userId: string
  /** The id of the API key, if the request was authenticated with one. */
  readonly keyId?: string
  /** The id of the session, if the request was authenticated with an access token. */
  readonly sessionId?: string
}

export function toIdentified({ userId, credential }: Account): IdentifiedCaller {
  return { userId, [credential.kind === 'key' ? 'keyId' : 'sessionId']: credential.id }
}

/** The state of one run. */
export interface Run extends Call {
  /** Unique to this run: its usage record can be added only once. */
  readonly runId: string
  readonly operation: Operation
  readonly spell: SpellField
  readonly firstChunkMs: number
  /** Called after the transaction is committed. */
  readonly hooks: readonly AfterCommit[]
  /** Rejects if the caller's credentials are no longer valid. Absent if they cannot expire. */
  recheck?: () => Promise<unknown>
  /** Anonymous until the credentials are authenticated. */
  caller: Caller
  native: NativeRequest | undefined
  /** The caller's quota, once its counter was read. */
  limits: Limits | undefined
  /** The caller's burst limit, once the run was counted. */
  burst: BurstLimit | undefined
  readonly warnings: readonly Issue[]
  readonly modelCall: Readonly<Partial<ModelCall>>
  readonly events: readonly Event[]
  /** When the stream had its first chunk, in milliseconds since the epoch. */
  firstChunkAt: number | undefined
  /** The claim of the Idempotency-Key, if the request has one. */
  claim: RunClaim | undefined
  /** Metadata of the returned data. */
  readonly replyFacts: ReplyFacts
}

interface RunClaim {
  readonly id: string
  readonly fingerprint: string
  /** Whether another request took over the key before this run could store its outcome. */
  isLost: boolean
}

interface ReplyFacts {
  readonly page?: PageMeta
  readonly version?: number
  readonly records?: () => readonly ListedRecord[]
}

const neverAborted = new AbortController().signal
/** Keeps camelCase. */
export const asIs: SpellField = (field) => field

/** Proxies and clients time out on a response that sends nothing for too long. */
const defaultFirstChunkMs = 5_000

export function openRun(
  { newId, clock }: Runtime,
  operation: Operation,
  {
    requestId = newId('req'),
    signal = neverAborted,
    spell = asIs,
    ifMatch,
    native,
    address = 'unknown',
    basePath = '',
    maxResultBytes = Infinity,
    firstChunkMs = defaultFirstChunkMs,
    onModelCall,
  }: RunOptions,
): Run {
  const warnings: Issue[] = []
  const modelCall: Partial<ModelCall> = {}
  const events: Event[] = []
  const replyFacts: { -readonly [Fact in keyof ReplyFacts]: ReplyFacts[Fact] } = {}
  const hooks: AfterCommit[] = []
  const at = clock.now()
  const run: Run = {
    runId: newId('run'),
    requestId,
    operation,
    spell,
    firstChunkMs,
    signal,
    address,
    basePath,
    maxResultBytes,
    at,
    newId,
    ifMatch,
    native: typeof native === 'function' ? undefined : native,
    caller: { kind: 'anonymous' },
    limits: undefined,
    burst: undefined,
    firstChunkAt: undefined,
    claim: undefined,
    warnings,
    modelCall,
    events,
    replyFacts,
    hooks,
    afterCommit: (act) => void hooks.push(act),
    warn(issues) {
      for (const issue of issues) {
        if (!warnings.some((known) => known.field === issue.field && known.issue === issue.issue)) warnings.push(issue)
      }
    },
    note(facts) {
      Object.assign(modelCall, facts)
      onModelCall?.(facts)
    },
    emit(event, data, userId = ownerOf(run.caller)) {
      events.push(createEvent(event, data, { id: newId('evt'), userId, createdAt: clock.now() }))
    },
    page(page, records) {
      replyFacts.page = page
      if (records) replyFacts.records = records
    },
    version: (version) => void (replyFacts.version = version),
  }
  return run
}

/** The user that the events of a run belong to; null for the embedding program. */
export function ownerOf(caller: Caller): string | null {
  return caller.kind === 'account' ? caller.userId : null
}

/**
 * The account that a run is charged to; undefined if the run is not metered. In a session only model calls are metered, so
 * that browsing the dashboard costs no quota.
 */
export function chargedAccount({ operation, caller }: Run): Account | undefined {
  if (!operation.metered || caller.kind !== 'account') return undefined
  return caller.credential.kind === 'key' || operation.kind === 'inference' ? caller : undefined
}

/** The account whose change costs no unit, so that only a limit per minute applies; undefined for all other runs. */
export function unmeteredWriter({ operation, caller }: Run): Account | undefined {
  if (operation.kind !== 'write' || caller.kind !== 'account' || 'anonymous' in operation.access) return undefined
  return operation.metered && caller.credential.kind === 'key' ? undefined : caller
}

/** The dependencies of all runs. */
export interface Runtime {
  /** The services; a promise until the models of all providers are listed. */
  ready(): Services | Promise<Services>
  /** Undefined if no feature has accounts: tokens are then rejected. */
  readonly authenticator: Authenticator | undefined
  /** Undefined if no feature stores events: they are then discarded. */
  readonly eventSink: EventSink | undefined
  /** Undefined without an event sink. */
  readonly quotaWatch: QuotaWatch | undefined
  readonly cipher: Cipher
  readonly clock: Clock
  readonly log: Log
  readonly newId: NewId
  readonly inFlight: InFlight
  /** Ends each open subscription. */
  readonly subscriptions: Set<() => void>
  readonly pendingSettlements: PendingSettlements
  /** Called for each read that is charged later, because the store cannot write. */
  onDeferredCharge(): void
  readonly rateLimiter: RateLimiter
  /** Burst limits by tier. Tiers that are left out have no limit. */
  readonly requestsPerMinute: RequestsPerMinute
  /** Limit of an account's changes that are not metered. */
  readonly writesPerMinute: number
  readonly failureBudget: FailureBudget
}
