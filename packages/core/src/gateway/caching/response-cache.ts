import { FairleadError } from '../../runtime/errors.ts'
import { type Flight, SingleFlight, type Waiter } from './single-flight.ts'
import { type TargetAnswer, cacheEntries, type CacheEntriesOptions, type CacheableRequest } from './cache-entries.ts'
import type { AttemptOwner } from '../routing/attempt.ts'
import { SharedItems, SharedReader } from './shared-stream.ts'
import type { Target } from '../routing/route.ts'

/** Set for a response that cost nothing, from the cache or from a call in flight for the same account. */
interface CacheStatus {
  readonly cached?: boolean
}

/** A streamed response and the target that returns it. */
export interface Streamed<At extends Target, Item> {
  readonly target: At
  readonly items: AsyncIterableIterator<Item, unknown, undefined>
}

/** Converts between the items of a stream and a whole response. */
export interface ItemForm<Item, Answer> {
  toAnswer(items: readonly Item[]): Answer
  toItems(answer: Answer): Iterable<Item>
}

interface SharedResult {
  readonly target: Target
  readonly stored: boolean
}

export type ResponseCache = ReturnType<typeof createResponseCache>

/**
 * Returns the stored response to an identical request of the same account, if the route has caching. An identical request
 * while the first is in flight waits for its response. Failures are never stored.
 *
 * @param options undefined disables caching
 */
export function createResponseCache(options: CacheEntriesOptions | undefined) {
  const entries = options && cacheEntries(options)
  const answers = new SingleFlight<SharedResult & { readonly answer: unknown }>()
  const streams = new SingleFlight<SharedResult & { readonly shared: SharedItems<unknown> }>()

  return {
    /** The request with its stored response, for which no provider has to be called. */
    async find<Request extends CacheableRequest<Target>>(
      request: Request,
      call: AttemptOwner,
    ): Promise<Request | undefined> {
      if (!entries || ttlOf(request) === undefined) return undefined
      const stored = await entries.find(entries.key(call.caller, request), request.route)
      return stored && { ...request, stored }
    },
    /**
     * @param send calls the provider, for the call itself or for a flight that others join
     * @param isValid whether a stored response is still valid. Default: always.
     */
    attempt<At extends Target, Answer>(
      request: CacheableRequest<At>,
      call: AttemptOwner,
      send: (owner: AttemptOwner) => Promise<TargetAnswer<At, Answer>>,
      isValid?: (answer: Answer) => Promise<boolean>,
    ): Promise<TargetAnswer<At, Answer> & CacheStatus> {
      if (request.stored) return checkedAnswer(storedAnswer<At, Answer>(request.stored, call), isValid)
      const ttlMs = ttlOf(request)
      if (!entries || ttlMs === undefined) return send(call)
      const key = entries.key(call.caller, request)
      const waiter = answers.join(key, call, async (flight) => {
        const found = await entries.find<At, Answer>(key, request.route)
        if (found && (!isValid || (await isValid(found.answer)))) {
          flight.close()
          return { ...found, stored: true }
        }
        const answered = await send(flight)
        void entries.store(key, answered, ttlMs).finally(() => flight.close())
        return { ...answered, stored: false }
      })
      return awaitResult(waiter, call).then(({ target, answer, cached }) => {
        waiter.end()
        return { target: target as At, answer: answer as Answer, cached }
      })
    },
    /**
     * A stream that fails is not stored. `form` converts between items and the stored response.
     *
     * @param send also gets `rest`, if others may join: all items, once none of them reads any longer
     */
    stream<At extends Target, Item, Answer>(
      request: CacheableRequest<At>,
      call: AttemptOwner,
      send: (owner: AttemptOwner, rest?: () => Promise<readonly Item[]>) => Promise<Streamed<At, Item>>,
      form: ItemForm<Item, Answer>,
    ): Promise<Streamed<At, Item> & CacheStatus> {
      if (request.stored) {
        const { answer, ...stored } = storedAnswer<At, Answer>(request.stored, call)
        return Promise.resolve({ ...stored, items: iterate(form.toItems(answer)) })
      }
      const ttlMs = ttlOf(request)
      if (!entries || ttlMs === undefined) return send(call)
      const key = entries.key(call.caller, request)
      const waiter = streams.join(key, call, async (flight) => {
        const found = await entries.find<At, Answer>(key, request.route)
        if (found) {
          flight.close()
          return { ...found, shared: replayed(form.toItems(found.answer)), stored: true }
        }
        const rest = async () => (await (flight.result as Promise<{ shared: SharedItems<Item> }>)).shared.over
        const { target, items } = await send(flight, rest)
        const store = (all: readonly Item[]) => entries.store(key, { target, answer: form.toAnswer(all) }, ttlMs)
        return { target, shared: sharedBy(items, flight, store), stored: false }
      })
      return awaitResult(waiter, call).then(({ target, shared, cached }) => {
        return { target: target as At, items: new SharedReader(shared as SharedItems<Item>, waiter), cached }
      })
    },
  }
}

/** The response that was found before. */
function storedAnswer<At extends Target, Answer>(
  stored: TargetAnswer<Target, unknown>,
  call: AttemptOwner,
): TargetAnswer<At, Answer> & CacheStatus {
  const { target, answer } = stored as TargetAnswer<At, Answer>
  call.note({ provider: target.provider.id, attempts: 0, cached: true })
  return { target, answer, cached: true }
}

async function checkedAnswer<Stored extends { readonly answer: unknown }>(
  stored: Stored,
  isValid: ((answer: Stored['answer']) => Promise<boolean>) | undefined,
): Promise<Stored> {
  if (!isValid || (await isValid(stored.answer))) return stored
  throw new FairleadError('BUDGET_EXCEEDED', 'The stored response is gone, and the budget has no room for another.')
}

/** How long the response is stored, in milliseconds; undefined if it is not stored. */
function ttlOf({ route, repeatable }: CacheableRequest<Target>): number | undefined {
  return repeatable ? route.cache?.ttlMs : undefined
}

async function awaitResult<Result extends SharedResult>(
  waiter: Waiter<Result>,
  call: AttemptOwner,
): Promise<Result & { readonly cached: boolean }> {
  const result = await waiter.wait()
  const cached = result.stored || !waiter.isFirst
  if (cached) call.note({ provider: result.target.provider.id, attempts: 0, cached })
  return { ...result, cached }
}

function sharedBy<Item>(
  items: AsyncIterator<Item>,
  flight: Flight<unknown>,
  store: (all: readonly Item[]) => Promise<void>,
): SharedItems<Item> {
  const shared = new SharedItems(items, {
    complete: (all) => void store(all).finally(() => flight.close()),
    broken: () => flight.close(),
  })
  flight.follow(shared)
  return shared
}

function replayed<Item>(items: Iterable<Item>): SharedItems<Item> {
  return new SharedItems(iterate(items), { complete() {}, broken() {} })
}

async function* iterate<Item>(items: Iterable<Item>): AsyncGenerator<Item, void, undefined> {
  yield* items
}
