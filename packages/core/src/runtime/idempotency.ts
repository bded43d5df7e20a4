import { hash } from 'node:crypto'
import type { Account, Caller } from './access.ts'
import { type Services } from './call.ts'
import { type Meta, type StreamEvent, type Streaming, type Success } from './envelope.ts'
import { FairleadError, invalidRequest } from './errors.ts'
import type { Cipher } from './keyring.ts'
import { type Operation, takesIdempotencyKey } from './operation.ts'
import type { RuntimeStores, RuntimeTransaction, Claim } from './stores.ts'
import { type Runtime, asIs, type Run } from './run-state.ts'
import { spelled, currentLimits, metaOf } from './reply.ts'

const visible = /^[\x21-\x7e]{1,255}$/

/** The key under which a run is to be done once; undefined where nothing is to be done once. Refused where it is none. */
export function checkedKey(operation: Operation, key: string | undefined): string | undefined {
  if (key === undefined || operation.kind === 'read') return undefined
  if (!takesIdempotencyKey(operation)) throw refused('is not taken here: there is no user yet whose key it could be')
  if (!visible.test(key)) throw refused('must be 1 to 255 visible ASCII characters, without spaces')
  return key
}

/**
 * Tells one key of one credential for one operation from all others, and tells none of them. Two API keys of one user
 * don't share: a replay to a weaker one could show it a stronger one's answer.
 */
export function claimId(
  caller: Exclude<Caller, Account> | Pick<Account, 'kind' | 'counter'>,
  operation: Operation,
  key: string,
): string {
  const credential = caller.kind === 'account' ? caller.counter : null
  return hash('sha256', JSON.stringify([credential, operation.name, key]))
}

/** Tells one input from another, whatever the order of its fields. */
export function fingerprintOf(input: unknown): string {
  return hash('sha256', JSON.stringify(input, hashable))
}

/** Writing a text of 20 MB as JSON takes as long as hashing it, and both hold the event loop. */
const maxWrittenLength = 1_000_000

/** An object with its fields in order, and a long text as its hash. */
function hashable(_name: string, value: unknown): unknown {
  // UTF-16 is how the text is in memory: converting it to UTF-8 would take longer than hashing it.
  if (typeof value === 'string') {
    return value.length > maxWrittenLength ? hash('sha256', Buffer.from(value, 'utf16le')) : value
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}

function refused(issue: string) {
  return invalidRequest({ field: 'idempotencyKey', issue })
}

/** How long a crash can keep a key from the next try. */
const leaseMs = 60_000
const renewEveryMs = 20_000
/** How long the same key gets the same answer. */
const keptForMs = 24 * 3_600_000

/** What already stands under a run's key, and still holds. */
export function findClaim(stores: RuntimeStores, { id }: NonNullable<Run['claim']>): Promise<Claim | undefined> {
  return stores.read((view) => view.claims.find(id, keptForMs))
}

/** Claims the run's key, where it has one; answers with what stands in the way. */
export async function takeClaim({ cipher }: Runtime, tx: RuntimeTransaction, run: Run): Promise<Claim | undefined> {
  if (!run.claim) return undefined
  const fingerprint = sealedFingerprint(cipher, run.claim)
  return tx.claims.take({ id: run.claim.id, fingerprint, owner: run.runId }, { leaseMs, keptForMs })
}

/** How long the request that took the key over may need for its outcome. */
const takenOverRetryMs = 1_000

/**
 * RuntimeStores the run's outcome under its key, in the transaction that keeps its effect. Throws `CONFLICT`, so that the
 * transaction rolls back, where the run's lease ended and another request owns the key: one key must not have two
 * outcomes.
 */
export async function keepOutcome({ cipher }: Runtime, tx: RuntimeTransaction, run: Run, data: unknown): Promise<void> {
  if (!run.claim) return
  const { id } = run.claim
  const kept = await tx.claims.keep(id, run.runId, sealedOutcome(cipher, run, id, data))
  if (kept) return
  run.claim.isLost = true
  throw new FairleadError('CONFLICT', 'Another request took over this Idempotency-Key. Retry to get its result.', {
    retryAfterMs: takenOverRetryMs,
  })
}

/** Frees the run's key for the next try. */
export async function releaseClaim(tx: RuntimeTransaction, { claim, runId }: Run): Promise<void> {
  if (claim) await tx.claims.release(claim.id, runId)
}

/** Holds the run's key for as long as the work takes, until the returned function is called. */
export function holdClaim(
  { clock, log }: Runtime,
  stores: RuntimeStores,
  { claim, runId, requestId }: Run,
): () => void {
  if (!claim) return () => {}
  let cancel = () => {}
  let held = true
  const wait = () => {
    cancel = clock.schedule(renewEveryMs, () => void renew())
  }
  async function renew(): Promise<void> {
    try {
      const kept = await stores.transact((tx) => tx.claims.renew(claim?.id ?? '', runId, leaseMs))
      // It may have been let go of meanwhile.
      held = held && kept
    } catch (error) {
      log.warn({ requestId, error }, 'the claim of an Idempotency-Key could not be renewed')
    }
    if (held) wait()
  }
  wait()
  return () => {
    held = false
    cancel()
  }
}

type Stream = NonNullable<Extract<Operation, { kind: 'inference' }>['stream']>

/** When the first request may be done, and its answer be had. */
const stillRunningMs = 1_000

/**
 * Answers with what stands under the run's key: the same again, free of charge, for the same input. Refused with
 * `IDEMPOTENCY_KEY_REUSED` for another input, and with `CONFLICT` while the first request still runs.
 */
export async function replay(
  { cipher }: Runtime,
  services: Services,
  run: Run,
  standing: Claim,
  stream?: Stream,
): Promise<Success<unknown> | Streaming<unknown, unknown>> {
  const fingerprint = openFingerprint(cipher, standing)
  if (fingerprint !== undefined && fingerprint !== run.claim?.fingerprint) {
    throw new FairleadError(
      'IDEMPOTENCY_KEY_REUSED',
      'This Idempotency-Key was used for another request: take a new one.',
    )
  }
  if (standing.outcome === null) {
    throw new FairleadError('CONFLICT', 'The first request with this Idempotency-Key is still running.', {
      retryAfterMs: stillRunningMs,
    })
  }
  const kept = openOutcome(cipher, standing.id, standing.outcome)
  if (fingerprint === undefined || !kept) {
    throw new FairleadError(
      'CONFLICT',
      'The request was done before, but its answer can not be read again: the secret key of the service has changed.',
    )
  }
  run.limits ??= await currentLimits(services, run)
  const reply = toReply(run, kept)
  return stream ? streamed(reply, stream.whole(kept.data)) : reply
}

function toReply(run: Run, { data, meta: { warnings, ...meta }, version }: KeptOutcome): Success<unknown> {
  return {
    success: true,
    data,
    meta: { ...meta, ...(warnings && { warnings: warnings.map((issue) => spelled(issue, run.spell)) }) },
    ...(run.limits && { limits: run.limits }),
    ...(version !== undefined && { version }),
    replayed: true,
  }
}

function streamed({ data, ...reply }: Success<unknown>, chunk: unknown): Streaming<unknown, unknown> {
  async function* events(): AsyncGenerator<StreamEvent<unknown, unknown>, void, undefined> {
    yield { type: 'chunk', chunk }
    yield { type: 'done', reply: { ...reply, data } }
  }
  return { ...reply, events: events() }
}

/** What is answered again to the same key and input. */
export interface KeptOutcome {
  readonly data: unknown
  /** Its warnings name fields as core does: the next transport may spell them otherwise. */
  readonly meta: Meta
  readonly version?: number
}

/** Sealed, for a hash of a password would tell it to whoever tries many. */
function sealedFingerprint(cipher: Cipher, { id, fingerprint }: Pick<Claim, 'id' | 'fingerprint'>): string {
  return cipher.seal(fingerprint, inputContext(id))
}

/** Undefined where it was sealed with a key that is not known any more; so is the other. */
function openFingerprint(cipher: Cipher, { id, fingerprint }: Claim): string | undefined {
  return cipher.open(fingerprint, inputContext(id))
}

/** Sealed, for data may hold a secret that is shown this once. */
function sealedOutcome(cipher: Cipher, run: Run, id: string, data: unknown): string {
  const { version } = run.replyFacts
  const outcome: KeptOutcome = {
    data,
    meta: metaOf({ ...run, spell: asIs }),
    ...(version !== undefined && { version }),
  }
  return cipher.seal(JSON.stringify(outcome), outcomeContext(id))
}

function openOutcome(cipher: Cipher, id: string, sealed: string): KeptOutcome | undefined {
  const text = cipher.open(sealed, outcomeContext(id))
  return text === undefined ? undefined : (JSON.parse(text) as KeptOutcome)
}

const inputContext = (id: string) => `${id} input`
const outcomeContext = (id: string) => `${id} outcome`
