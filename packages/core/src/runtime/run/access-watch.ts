import { type Account, type Authenticator, type Credentials, authorize } from '../access.ts'
import type { OperationRun } from './operation-run.ts'
import { FairleadError } from '../errors.ts'
import { requireNetwork } from '../key-limits.ts'
import type { Operation } from '../operation.ts'
import { Task, type Deadlines } from './task.ts'

/** How often the caller's credentials are checked again during a stream. */
const recheckEveryMs = 15_000
/** A subscription can last a day and yields other users' records, so it ends sooner. */
const recheckSubscriptionEveryMs = 4_000
/** A subscription is checked every four seconds, so that it ends within five on other nodes. */
const maxRecheckAgeMs = 1_000

/** The part of the runtime that a watch uses. */
interface WatchContext {
  readonly authenticator: Authenticator | undefined
  readonly deadlines: Deadlines
  readonly accessWatches: AccessWatches
}

type OperationCall = OperationRun<Operation>
type BearerCredentials = Extract<Credentials, { kind: 'bearer' }>

/** The watches of subscriptions, by the credential and the project that they check. */
export type AccessWatches = Map<string, AccessWatch>

/**
 * Ends the streams of a credential if it is revoked or the user is suspended: at once if this node did that. Its
 * subscriptions share one watch, because a credential may have many that stay open. A stream of a result has its own: it is
 * short, and to find a shared one would cost each of them more than the check.
 */
export class AccessWatch extends Task {
  readonly #context: WatchContext
  readonly #credentials: BearerCredentials
  #calls: readonly OperationCall[]
  /** Of a watch of subscriptions, in `accessWatches`. */
  readonly #name: string | undefined
  #unwatch: (() => void) | undefined = undefined
  #isChecking = false
  /** Whether something has changed since the current check began. */
  #isOutdated = false

  /** Watches until the call ends. Nothing is watched without a token, which alone can be revoked. */
  static start(context: WatchContext, call: OperationCall, credentials: Credentials): void {
    if (credentials.kind !== 'bearer' || !context.authenticator) return
    if (call.operation.kind === 'subscription') AccessWatch.#share(context, call, credentials)
    else call.follow(new AccessWatch(context, call, credentials))
  }

  static #share(context: WatchContext, call: OperationCall, credentials: BearerCredentials): void {
    const name = `${credentials.project ?? ''} ${credentials.token}`
    const known = context.accessWatches.get(name)
    if (known) known.#calls = [...known.#calls, call]
    const watch = known ?? new AccessWatch(context, call, credentials, name)
    context.accessWatches.set(name, watch)
    call.follow({ abort: () => watch.#remove(call) })
  }

  private constructor(context: WatchContext, call: OperationCall, credentials: BearerCredentials, name?: string) {
    super()
    this.#context = context
    this.#credentials = credentials
    this.#calls = [call]
    this.#name = name
    context.deadlines.set(this, this.#everyMs)
    if (call.caller.kind === 'account') {
      this.#unwatch = context.authenticator?.onChange?.(call.caller, () => void this.#check())
    }
  }

  get #everyMs(): number {
    return this.#name === undefined ? recheckEveryMs : recheckSubscriptionEveryMs
  }

  #remove(call: OperationCall): void {
    this.#calls = this.#calls.filter((one) => one !== call)
    if (this.#calls.length === 0) this.abort()
  }

  /** The last stream has ended. */
  override abort(reason?: unknown): void {
    super.abort(reason)
    if (this.#name !== undefined) this.#context.accessWatches.delete(this.#name)
    this.#context.deadlines.remove(this)
    this.#unwatch?.()
  }

  override expire(): void {
    void this.#check()
  }

  /** A change during a check leads to another one, which reads what has changed. */
  async #check(): Promise<void> {
    this.#isOutdated = true
    if (this.#isChecking) return
    this.#isChecking = true
    while (this.#isOutdated && !this.aborted) {
      this.#isOutdated = false
      await this.#recheck()
    }
    this.#isChecking = false
    if (!this.aborted) this.#context.deadlines.set(this, this.#everyMs)
  }

  async #recheck(): Promise<void> {
    const { token, project } = this.#credentials
    const maxAgeMs = this.#name === undefined ? undefined : maxRecheckAgeMs
    let current: Account
    try {
      current = await this.#context.authenticator!.authenticate(token, maxAgeMs, project)
    } catch (error) {
      for (const call of this.#calls) endIfDenied(call, error)
      return
    }
    for (const call of this.#calls) {
      try {
        requireAccess(call, current)
      } catch (error) {
        endIfDenied(call, error)
      }
    }
  }
}

/** An unavailable store does not mean that the credentials are invalid. */
function endIfDenied(call: OperationCall, error: unknown): void {
  if (error instanceof FairleadError && accessErrors.has(error.code)) call.abort(error)
}

const accessErrors: ReadonlySet<string> = new Set(['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND'])

function requireAccess({ operation, caller, address }: OperationCall, current: Account): void {
  authorize(current, operation.access, operation.kind)
  if (current.limits) requireNetwork(current.limits, current.credential.kind, address)
  // The items of a subscription depend on the role and the scopes that its caller had when it began.
  if (operation.kind === 'subscription') requireSameAccess(caller, current)
}

function requireSameAccess(caller: OperationCall['caller'], current: Account): void {
  if (caller.kind !== 'account' || caller.role !== current.role) {
    throw new FairleadError('FORBIDDEN', 'The role of the user has changed. Open the stream again.')
  }
  if (!caller.scopes.every((scope) => current.scopes.includes(scope))) {
    throw new FairleadError('FORBIDDEN', 'The scopes of the API key have changed. Open the stream again.')
  }
}
