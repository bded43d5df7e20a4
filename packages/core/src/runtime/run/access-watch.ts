import { type Account, type Authenticator, authorize } from '../access.ts'
import type { Call } from './call.ts'
import type { Deadlines } from './deadlines.ts'
import { FairleadError } from '../errors.ts'
import { requireNetwork } from '../key-limits.ts'
import type { Operation } from '../operation.ts'
import { Task } from './task.ts'

/** How often the caller's credentials are checked again during a stream. */
const recheckEveryMs = 15_000
/** A subscription can last a day and yields other users' records, so it ends sooner. */
const recheckSubscriptionEveryMs = 4_000
/** A subscription is checked every four seconds, so that it ends within five on other nodes. */
const maxRecheckAgeMs = 1_000

/** What a watch uses of the runtime. */
interface WatchContext {
  readonly authenticator: Authenticator | undefined
  readonly deadlines: Deadlines
  readonly accessWatches: AccessWatches
}

type OperationCall = Call<Operation>

/** The watches of a runtime, by what they check. */
export type AccessWatches = Map<string, AccessWatch>

/**
 * Ends the streams of a credential if it is revoked or the user is suspended: at once if this node did that. All of its
 * streams share one check, and all of its subscriptions another.
 */
export class AccessWatch extends Task {
  readonly #context: WatchContext
  readonly #name: string
  readonly #token: string
  readonly #project: string | undefined
  readonly #isOfSubscriptions: boolean
  readonly #calls = new Set<OperationCall>()
  #unwatch: (() => void) | undefined = undefined
  #isChecking = false
  /** Whether something has changed since the current check began. */
  #isOutdated = false

  /** Watches until the call ends. Nothing is watched without a token, which alone can be revoked. */
  static start(context: WatchContext, call: OperationCall): void {
    if (call.credentials === undefined || !context.authenticator) return
    const { token, project } = call.credentials
    const isSubscription = call.operation.kind === 'subscription'
    const name = `${isSubscription} ${project ?? ''} ${token}`
    const known = context.accessWatches.get(name)
    const watch = known ?? new AccessWatch(context, name, call.credentials, isSubscription)
    watch.#add(call)
  }

  private constructor(
    context: WatchContext,
    name: string,
    { token, project }: NonNullable<OperationCall['credentials']>,
    isOfSubscriptions: boolean,
  ) {
    super()
    this.#context = context
    this.#name = name
    this.#token = token
    this.#project = project
    this.#isOfSubscriptions = isOfSubscriptions
    context.accessWatches.set(name, this)
    context.deadlines.set(this, this.#everyMs)
  }

  get #everyMs(): number {
    return this.#isOfSubscriptions ? recheckSubscriptionEveryMs : recheckEveryMs
  }

  #add(call: OperationCall): void {
    this.#calls.add(call)
    if (call.caller.kind === 'account') {
      this.#unwatch ??= this.#context.authenticator?.onChange?.(call.caller, () => void this.#check())
    }
    call.follow({ abort: () => this.#remove(call) })
  }

  #remove(call: OperationCall): void {
    this.#calls.delete(call)
    if (this.#calls.size === 0) this.abort()
  }

  /** The last stream has ended. */
  override abort(reason?: unknown): void {
    super.abort(reason)
    this.#context.accessWatches.delete(this.#name)
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
    const maxAgeMs = this.#isOfSubscriptions ? maxRecheckAgeMs : undefined
    let current: Account
    try {
      current = await this.#context.authenticator!.authenticate(this.#token, maxAgeMs, this.#project)
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
  // What a subscription yields depends on the role and the scopes that its caller had when it began.
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
