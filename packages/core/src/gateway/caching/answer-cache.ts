import { raceAbort } from '../../runtime/deadline.ts'
import { type Boarding, createFlights, type Departure } from './single-flight.ts'
import { type Answered, keptAnswers, type KeptAnswersOptions, type Question } from './cached-answers.ts'
import { readAboard } from './shared-stream.ts'
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

interface Landed {
  readonly target: Target
  readonly kept: boolean
}
interface LandedAnswer extends Landed {
  readonly answer: unknown
}
interface LandedStream extends Landed {
  readonly shared: SharedItems<unknown>
}

/** @param options undefined: there is no cache, and everything is asked anew */
export function createAnswerCache(options: KeptAnswersOptions | undefined): AnswerCache {
  if (!options) return { attempt: (_question, call, ask) => ask(call), stream: (_question, call, ask) => ask(call) }
  const kept = keptAnswers(options)
  const answers = createFlights<LandedAnswer>()
  const streams = createFlights<LandedStream>()

  async function repeat<At extends Target, Answer, Call extends CachedCall>(
    question: Question<At>,
    ttlMs: number,
    call: Call,
    ask: (call: Call) => Promise<Answered<At, Answer>>,
    isGood: (answer: Answer) => Promise<boolean>,
  ) {
    const name = kept.name(question)
    const boarding = answers.board(name, async ({ signal, land, note }) => {
      const found = await kept.find<At, Answer>(name, question.route)
      if (found && (await isGood(found.answer))) return landed(land, { ...found, kept: true })
      const answered = await ask({ ...call, signal, note: alsoNoting(call, note) })
      void kept.keep(name, answered, ttlMs).finally(land)
      return { ...answered, kept: false }
    })
    const { target, answer, cached } = await arrive(boarding, call)
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
    const boarding = streams.board(name, async (departure) => {
      const found = await kept.find<At, Answer>(name, question.route)
      if (found) return landed(departure.land, { ...found, shared: replayed(form.toItems(found.answer)), kept: true })
      const { target, items } = await ask({
        ...call,
        signal: departure.signal,
        note: alsoNoting(call, departure.note),
      })
      const keep = (all: readonly Item[]) => kept.keep(name, { target, answer: form.toAnswer(all) }, ttlMs)
      return { target, shared: sharedBy(items, departure, keep), kept: false }
    })
    const { target, shared: items, cached } = await arrive(boarding, call)
    return { target: target as At, items: readAboard(items as SharedItems<Item>, boarding, call.signal), cached }
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

function landed<Result>(land: () => void, result: Result): Result {
  land()
  return result
}

async function arrive<Result extends Landed>(
  boarding: Boarding<Result>,
  call: CachedCall,
): Promise<Result & { readonly cached: boolean }> {
  const result = await aboard(boarding, call, () => raceAbort(boarding.result, call.signal))
  const cached = result.kept || !boarding.first
  if (cached) call.note({ provider: result.target.provider.id, attempts: 0, cached })
  return { ...result, cached }
}

/**
 * Leaves where the work ends badly for this one; who has what it wanted need not. Who leaves after a provider was asked
 * takes note of it: a call abandoned then is charged, whoever of those that wait began it.
 */
async function aboard<Result>(
  boarding: Boarding<unknown>,
  call: CachedCall,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    const attempts = boarding.attempts()
    if (attempts) call.note(attempts)
    boarding.leave(call.signal.reason)
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
  { signal, land }: Departure,
  keep: (all: readonly Item[]) => Promise<void>,
): SharedItems<Item> {
  const result = shareItems(items[Symbol.asyncIterator](), {
    complete: (all) => void keep(all).finally(land),
    broken: land,
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
