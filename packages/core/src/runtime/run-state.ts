import type { Event } from './stores.ts'
import type { Account, Caller, Authenticator } from './access.ts'
import type { Call, AfterCommit, ModelCall, Services, IfMatch } from './call.ts'
import type { Operation } from './operation.ts'
import type { Limits, BurstLimit, PageMeta, ListedRecord } from './envelope.ts'
import type { Issue } from './errors.ts'
import type { Cipher } from './keyring.ts'
import type { Clock } from './clock.ts'
import type { Log } from './log.ts'
import type { NewId } from './id.ts'
import type { InFlight } from './in-flight.ts'
import type { PendingSettlements } from './pending-settlements.ts'
import type { RateLimiter, RequestsPerMinute } from './rate-limit.ts'

/** Spells a field's path as a transport does; core's own spelling is camelCase. */
export type SpellField = (field: string) => string

/** What a transport says of a run, beside credentials and input. */
export interface RunOptions {
  /** The transport's name for the request, in the answer and the log. Default: a new id. */
  readonly requestId?: string | undefined
  /** Aborts when the caller leaves. Default: never. */
  readonly signal?: AbortSignal | undefined
  /** How the transport spells fields. Default: as core does. */
  readonly spell?: SpellField | undefined
  /** Refuses the operation unless the record is at one of these versions. Default: any will do. */
  readonly ifMatch?: IfMatch | undefined
  /**
   * Has the operation done once for this caller, however often the same is asked in 24 hours; the answer is the first
   * one again. 1 to 255 visible characters. Default: it is done each time.
   */
  readonly idempotencyKey?: string | undefined
  /** The network address of the caller, where throttles count by it. Default: one for all who name none. */
  readonly address?: string | undefined
  /** The path under which the transport is mounted, for the addresses of images. Default: the root. */
  readonly basePath?: string | undefined
  /**
   * How long a stream waits for its first chunk before it begins without it, in milliseconds. A failure before the first
   * chunk is an ordinary one as long as the stream has not begun. Default: 5,000.
   */
  readonly firstChunkMs?: number | undefined
  /** Hears whose request it is, once that is known; not of anonymous ones. For logs. */
  readonly onIdentified?: ((caller: IdentifiedCaller) => void) | undefined
}

/** Whose request it is, by ids that open nothing. */
export interface IdentifiedCaller {
  readonly userId: string
  /** Of the API key that the request came with. */
  readonly keyId?: string
  /** Of the session whose token the request came with. */
  readonly sessionId?: string
}

export function toIdentified({ userId, credential }: Account): IdentifiedCaller {
  return { userId, [credential.kind === 'key' ? 'keyId' : 'sessionId']: credential.id }
}

/** A call with all that the runtime knows of it, from its first moment to its last. */
export interface Run extends Call {
  /** Names this run alone; it decides whether the run is settled. */
  readonly runId: string
  readonly operation: Operation
  readonly spell: SpellField
  readonly firstChunkMs: number
  /** What is to be done once the transaction is kept. */
  readonly hooks: readonly AfterCommit[]
  /** Rejects once the caller's credentials are no longer good. Absent where they can't end. */
  recheck?: () => Promise<unknown>
  /** Anonymous until the credentials are found good. */
  caller: Caller
  /** Where a limited caller stands, once its counter was touched. */
  limits: Limits | undefined
  /** Where the caller stands, once its burst limit has counted the run. */
  burst: BurstLimit | undefined
  readonly warnings: readonly Issue[]
  readonly modelCall: Readonly<Partial<ModelCall>>
  readonly events: readonly Event[]
  /** What the run is to claim, where it is to be done once. */
  claim: RunClaim | undefined
  /** What the answer says of its data. */
  readonly replyFacts: ReplyFacts
}

interface RunClaim {
  readonly id: string
  readonly fingerprint: string
  /** Whether another request took the key over before this run could store its outcome. */
  isLost: boolean
}

interface ReplyFacts {
  readonly page?: PageMeta
  readonly version?: number
  readonly records?: () => readonly ListedRecord[]
}

const neverAborted = new AbortController().signal
/** Core's own spelling. */
export const asIs: SpellField = (field) => field

/** A proxy in front, or a client, gives up on an answer that shows nothing for long. */
const defaultFirstChunkMs = 5_000

export function openRun(
  { newId, clock }: Runtime,
  operation: Operation,
  {
    requestId = newId('req'),
    signal = neverAborted,
    spell = asIs,
    ifMatch,
    address = 'unknown',
    basePath = '',
    firstChunkMs = defaultFirstChunkMs,
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
    at,
    newId,
    ifMatch,
    caller: { kind: 'anonymous' },
    limits: undefined,
    burst: undefined,
    claim: undefined,
    warnings,
    modelCall,
    events,
    replyFacts,
    hooks,
    afterCommit: (act) => void hooks.push(act),
    warn(issues) {
      for (const issue of issues) warnings.push(issue)
    },
    note: (facts) => void Object.assign(modelCall, facts),
    emit(type, data, userId = run.caller.kind === 'account' ? run.caller.userId : null) {
      // Only a user has hooks and streams to tell.
      if (userId !== null) events.push({ id: newId('evt'), type, userId, at, data })
    },
    page(page, records) {
      replyFacts.page = page
      if (records) replyFacts.records = records
    },
    version: (version) => void (replyFacts.version = version),
  }
  return run
}

/** The account that a run is charged to; undefined where nothing is metered. */
export function chargedAccount({ operation, caller }: Run): Account | undefined {
  return operation.metered && caller.kind === 'account' ? caller : undefined
}

/** What runs are made with; the same for all of them. */
export interface Runtime {
  /** Resolves when the models are known. */
  ready(): Promise<Services>
  /** Undefined where no feature has accounts: then no token is accepted. */
  readonly authenticator: Authenticator | undefined
  readonly cipher: Cipher
  readonly clock: Clock
  readonly log: Log
  readonly newId: NewId
  readonly inFlight: InFlight
  readonly pendingSettlements: PendingSettlements
  readonly rateLimiter: RateLimiter
  /** Burst limits by tier; a tier without one has none. */
  readonly requestsPerMinute: RequestsPerMinute
  /** How long one run may take, in milliseconds. */
  readonly timeoutMs: number
}
