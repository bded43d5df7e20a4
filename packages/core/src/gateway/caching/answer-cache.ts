import { raceAbort } from '../../runtime/deadline.ts'
import { type Waiter, createSingleFlight, type SharedWork } from './single-flight.ts'
import { type Answered, cachedAnswers, type CachedAnswersOptions, type Question } from './cached-answers.ts'
import { readShared } from './shared-stream.ts'
import type { Attempts } from '../routing/attempts.ts'
import type { RoutedCall } from '../routing/attempts.ts'
import { type SharedItems, shareItems } from './shared-stream.ts'
import type { Target } from '../routing/route.ts'

/** What the cache needs to know of the call that it serves. */
export interface CachedCall extends RoutedCall {
  note(facts: { readonly provider: string; readonly attempts: number; readonly cached?: boolean }): void
}

/** Set where an answer cost nothing: it was there already, or on its way to the same account. */
interface Repeatable {
  readonly cached?: boolean
}

/** Pieces of an answer, and who gives it. */
export interface Streamed<At extends Target, Item> {
  readonly target: At
  readonly items: AsyncIterable<Item>
}

/**
 * Gives an answer again that the same account was given for the same question, where the route says for how long. The
 * same question asked while the first is under way waits for that one's answer. Failures are never kept.
 */
export interface AnswerCache {
  /** @param isGood whether a kept answer still stands; default: it does */
  attempt<At extends Target, Answer, Call extends CachedCall>(
    question: Question<At>,
    call: Call,
    ask: (call: Call) => Promise<Answered<At, Answer>>,
    isGood?: (answer: Answer) => Promise<boolean>,
  ): Promise<Answered<At, Answer> & Repeatable>
  /** A stream that breaks off is not kept; `form` makes of items what is kept, and the other way round. */
  stream<At extends Target, Item, Answer>(
    question: Question<At>,
    call: CachedCall,
    ask: (call: RoutedCall) => Promise<Streamed<At, Item>>,
    form: ItemForm<Item, Answer>,
  ): Promise<Streamed<At, Item> & Repeatable>
}

/** How a whole answer and its pieces become each other. */
export interface ItemForm<Item, Answer> {
  toAnswer(items: readonly Item[]): Answer
  toItems(answer: Answer): Iterable<Item>
}

interface SharedResult {
  readonly target: Target
  readonly kept: boolean
}
interface SharedAnswer extends SharedResult {
  readonly answer: unknown
}
interface SharedStream extends SharedResult {
  readonly shared: SharedItems<unknown>
}

/** @param options undefined: there is no cache, and everything is asked anew */
export function createAnswerCache(options: CachedAnswersOptions | undefined): AnswerCache {
  if (!options) return { attempt: (_question, call, ask) => ask(call), stream: (_question, call, ask) => ask(call) }
  const kept = cachedAnswers(options)
  const answers = createSingleFlight<SharedAnswer>()
  const streams = createSingleFlight<SharedStream>()

  async function repeat<At extends Target, Answer, Call extends CachedCall>(
    question: Question<At>,
    ttlMs: number,
    call: Call,
    ask: (call: Call) => Promise<Answered<At, Answer>>,
    isGood: (answer: Answer) => Promise<boolean>,
  ) {
    const name = kept.name(question)
    const waiter = answers.join(name, async ({ signal, close, note }) => {
      const found = await kept.find<At, Answer>(name, question.route)
      if (found && (await isGood(found.answer))) return closing(close, { ...found, kept: true })
      const answered = await ask({ ...call, signal, note: alsoNoting(call, note) })
      void kept.keep(name, answered, ttlMs).finally(close)
      return { ...answered, kept: false }
    })
    const { target, answer, cached } = await awaitResult(waiter, call)
    return { target: target as At, answer: answer as Answer, cached }
  }

  async function restream<At extends Target, Item, Answer>(
    question: Question<At>,
    ttlMs: number,
    call: CachedCall,
    ask: (call: RoutedCall) => Promise<Streamed<At, Item>>,
    form: ItemForm<Item, Answer>,
  ) {
    const name = kept.name(question)
    const waiter = streams.join(name, async (work) => {
      const found = await kept.find<At, Answer>(name, question.route)
      if (found) return closing(work.close, { ...found, shared: replayed(form.toItems(found.answer)), kept: true })
      const { target, items } = await ask({
        ...call,
        signal: work.signal,
        note: alsoNoting(call, work.note),
      })
      const keep = (all: readonly Item[]) => kept.keep(name, { target, answer: form.toAnswer(all) }, ttlMs)
      return { target, shared: sharedBy(items, work, keep), kept: false }
    })
    const { target, shared: items, cached } = await awaitResult(waiter, call)
    return { target: target as At, items: readShared(items as SharedItems<Item>, waiter, call.signal), cached }
  }

  return {
    attempt(question, call, ask, isGood = async () => true) {
      const ttlMs = lifeOf(question)
      return ttlMs === undefined ? ask(call) : repeat(question, ttlMs, call, ask, isGood)
    },
    stream(question, call, ask, form) {
      const ttlMs = lifeOf(question)
      return ttlMs === undefined ? ask(call) : restream(question, ttlMs, call, ask, form)
    },
  }
}

/** How long answers to a question are kept, in milliseconds; undefined where they aren't. */
function lifeOf({ route, repeatable }: Question<Target>): number | undefined {
  return repeatable ? route.cache?.ttlMs : undefined
}

function closing<Result>(close: () => void, result: Result): Result {
  close()
  return result
}

async function awaitResult<Result extends SharedResult>(
  waiter: Waiter<Result>,
  call: CachedCall,
): Promise<Result & { readonly cached: boolean }> {
  const result = await leaveOnError(waiter, call, () => raceAbort(waiter.result, call.signal))
  const cached = result.kept || !waiter.first
  if (cached) call.note({ provider: result.target.provider.id, attempts: 0, cached })
  return { ...result, cached }
}

/**
 * Leaves where the work ends badly for this one; who has what it wanted need not. Who leaves after a provider was asked
 * takes note of it: a call abandoned then is charged, whoever of those that wait began it.
 */
async function leaveOnError<Result>(
  waiter: Waiter<unknown>,
  call: CachedCall,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    const attempts = waiter.attempts()
    if (attempts) call.note(attempts)
    waiter.leave(call.signal.reason)
    throw error
  }
}

/** Also notes, for everyone who waits, which provider was asked. What was spent is noted for the first alone. */
function alsoNoting<Call extends CachedCall>(call: Call, note: (attempts: Attempts) => void): Call['note'] {
  return (facts) => {
    if ('attempts' in facts) note(facts)
    call.note(facts)
  }
}

function sharedBy<Item>(
  items: AsyncIterable<Item>,
  { signal, close }: SharedWork,
  keep: (all: readonly Item[]) => Promise<void>,
): SharedItems<Item> {
  const result = shareItems(items[Symbol.asyncIterator](), {
    complete: (all) => void keep(all).finally(close),
    broken: close,
  })
  signal.addEventListener('abort', () => result.cancel(), { once: true })
  return result
}

function replayed<Item>(items: Iterable<Item>): SharedItems<Item> {
  return shareItems(
    (async function* () {
      yield* items
    })(),
    { complete() {}, broken() {} },
  )
}
