import { createHash, hash } from 'node:crypto'
import { type Account, type Caller, credentialName } from '../access.ts'
import type { OperationRun } from './operation-run.ts'
import type { Meta, StreamEvent, Streaming, Success } from './envelope.ts'
import { FairleadError, invalidRequest } from '../errors.ts'
import { takesIdempotencyKey, type Operation } from '../operation.ts'
import type { Claim, RuntimeTransaction } from '../stores/stores.ts'
import type { Accepted, CallClaim, Runtime } from './runtime.ts'
import { spelled, currentLimits, metaOf } from './reply.ts'

const visible = /^[\x21-\x7e]{1,255}$/

/** Returns the valid key of a run; undefined for reads, which ignore it. Throws `INVALID_REQUEST` for an invalid key. */
export function checkedKey(operation: Operation, key: string): string | undefined {
  if (operation.kind === 'read') return undefined
  if (!takesIdempotencyKey(operation)) throw invalidKey('is not supported by operations of signing in')
  if (!visible.test(key)) throw invalidKey('must be 1 to 255 visible ASCII characters, without spaces')
  return key
}

/**
 * A hash. Two API keys of one user share no claims: a replay could return the response of the one with more scopes. Nor do two
 * members of a project.
 */
export function claimId(
  caller: Exclude<Caller, Account> | Pick<Account, 'kind' | 'userId' | 'credential' | 'member'>,
  operation: Operation,
  key: string,
): string {
  const credential = caller.kind === 'account' ? credentialName(caller.userId, caller.credential) : null
  const member = caller.kind === 'account' && caller.member ? [caller.member.userId] : []
  return hash('sha256', JSON.stringify([credential, operation.name, key, ...member]))
}

/** A hash of an input that does not depend on the order of its fields. */
export function fingerprintOf(input: unknown): string {
  return hash('sha256', JSON.stringify(input, hashable))
}

/** Writing a text of 20 MB as JSON takes as long as hashing it, and both hold the event loop. */
const maxWrittenLength = 1_000_000

/** An object with its fields in order, and a long text as its hash. */
function hashable(_name: string, value: unknown): unknown {
  if (typeof value === 'string') return value.length > maxWrittenLength ? hashOfLong(value) : value
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Reads the text in slices: the memory for a copy of a text of 20 MB takes longer to get than the hash. */
function hashOfLong(text: string): string {
  const sha256 = createHash('sha256')
  for (let start = 0; start < text.length; start += maxWrittenLength) {
    // UTF-16 is how the text is in memory: converting it to UTF-8 would take longer than hashing it.
    sha256.update(text.slice(start, start + maxWrittenLength), 'utf16le')
  }
  return sha256.digest('hex')
}

function invalidKey(issue: string) {
  return invalidRequest({ field: 'idempotencyKey', issue })
}

/** How long a key stays claimed after its process crashed. */
const leaseMs = 60_000
const renewEveryMs = 20_000
/** How long an outcome is stored and replayed. */
const keptForMs = 24 * 3_600_000

export async function findClaim({ services }: OperationRun, { id }: CallClaim): Promise<Claim | undefined> {
  return services.stores.read((view) => view.claims.find(id, keptForMs))
}

/** Claims the run's key. Returns the existing claim if the key is taken. */
export async function takeClaim(
  { cipher }: Runtime,
  tx: RuntimeTransaction,
  { runId }: OperationRun,
  { id, fingerprint }: CallClaim,
): Promise<Claim | undefined> {
  // Encrypted, because an input can contain a password, and its hash could be attacked by guessing.
  const sealed = cipher.seal(fingerprint, inputContext(id))
  return tx.claims.take({ id, fingerprint: sealed, owner: runId }, { leaseMs, keptForMs })
}

const inputContext = (id: string) => `${id} input`
const outcomeContext = (id: string) => `${id} outcome`

/** `Retry-After` for a lost claim: the request that took over the key needs time to finish. */
const takenOverRetryMs = 1_000

/** Stores the run's outcome. Throws `CONFLICT` if another request owns the key by now, so that a key has one outcome. */
export async function storeOutcome(
  { cipher }: Runtime,
  tx: RuntimeTransaction,
  call: OperationRun,
  claim: CallClaim,
  data: unknown,
): Promise<void> {
  const { id } = claim
  const outcome: StoredOutcome = { data, meta: metaOf(call, call.inputField), version: call.replyFacts.version }
  // Encrypted, because a result can contain a secret, such as a new API key.
  const kept = await tx.claims.keep(id, call.runId, cipher.seal(JSON.stringify(outcome), outcomeContext(id)))
  if (kept) return
  claim.isLost = true
  throw new FairleadError('CONFLICT', 'Another request took over this Idempotency-Key. Retry to get its result.', {
    retryAfterMs: takenOverRetryMs,
  })
}

/** Releases the run's key, so that the request can be retried. */
export async function releaseClaim(tx: RuntimeTransaction, { runId }: OperationRun, { id }: CallClaim): Promise<void> {
  await tx.claims.release(id, runId)
}

/** Renews the lease of the run's key until `claim.release` is called. */
export function holdClaim(
  { clock, log }: Runtime,
  { services, runId, requestId }: OperationRun,
  claim: CallClaim,
): void {
  let cancel = () => {}
  let held = true
  const wait = () => {
    cancel = clock.schedule(renewEveryMs, () => void renew())
  }
  async function renew(): Promise<void> {
    try {
      const kept = await services.stores.transact((tx) => tx.claims.renew(claim.id, runId, leaseMs))
      // It may have been released during the transaction.
      held = held && kept
    } catch (error) {
      log.warn({ requestId, error }, 'could not renew the lease of an Idempotency-Key')
    }
    if (held) wait()
  }
  wait()
  claim.release = () => {
    held = false
    cancel()
  }
}

/** `Retry-After` while the first request is in progress. */
const stillRunningMs = 1_000

/**
 * Returns the stored response of the run's key, free of charge. Throws `IDEMPOTENCY_KEY_REUSED` if the input differs, and
 * `CONFLICT` while the first request is in progress.
 */
export async function replay(
  { cipher, log }: Runtime,
  call: OperationRun,
  { id, ...existing }: Claim,
  { claim, stream }: Pick<Accepted, 'claim' | 'stream'>,
): Promise<Success<unknown> | Streaming<unknown, unknown>> {
  const fingerprint = cipher.open(existing.fingerprint, inputContext(id))
  if (fingerprint !== undefined && fingerprint !== claim?.fingerprint) {
    throw new FairleadError(
      'IDEMPOTENCY_KEY_REUSED',
      'This Idempotency-Key was used for a different request. Use a new key.',
    )
  }
  if (existing.outcome === null) {
    throw new FairleadError('CONFLICT', 'The first request with this Idempotency-Key is still in progress.', {
      retryAfterMs: stillRunningMs,
    })
  }
  const outcome = cipher.open(existing.outcome, outcomeContext(id))
  if (fingerprint === undefined || outcome === undefined) {
    const { requestId } = call
    log.warn({ requestId }, 'the secret keys of this node cannot decrypt the outcome of an Idempotency-Key')
    throw new FairleadError(
      'CONFLICT',
      'This request has completed, but its response can no longer be decrypted: the secret key of the service changed.',
    )
  }
  call.limits ??= await currentLimits(call)
  const { data, meta, version } = JSON.parse(outcome) as StoredOutcome
  const { warnings, requestId: originalRequestId, ...facts } = meta
  const { requestId } = call
  const reply: Success<unknown> = {
    success: true,
    data,
    meta: {
      requestId,
      originalRequestId,
      ...facts,
      ...(warnings && { warnings: warnings.map((issue) => spelled(issue, call.spell)) }),
    },
    ...(call.limits && { limits: call.limits }),
    ...(version !== undefined && { version }),
    replayed: true,
  }
  if (!stream) return reply
  const { data: whole, ...head } = reply
  return { ...head, events: replayedEvents(reply, stream.whole(whole)) }
}

async function* replayedEvents(
  reply: Success<unknown>,
  chunks: readonly unknown[],
): AsyncGenerator<StreamEvent<unknown, unknown>, void, undefined> {
  for (const chunk of chunks) yield { type: 'chunk', chunk }
  yield { type: 'done', reply }
}

interface StoredOutcome {
  readonly data: unknown
  /** Warnings contain camelCase field names: the replay may go through another adapter. */
  readonly meta: Meta
  readonly version: number | undefined
}
