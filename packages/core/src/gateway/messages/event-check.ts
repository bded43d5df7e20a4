import { setImmediate as nextTurn } from 'node:timers/promises'
import type * as z from 'zod'
import type { Issue } from '../../runtime/errors.ts'
import type { TextEvent } from './answer.ts'
import { textIn } from './collect-answer.ts'
import { ContractViolation, maxCharacters, parseResponse, responseSchemas } from '../provider-responses.ts'
import type { TextRequest } from '../provider.ts'

/** A validated event that says something about the answer. */
export type CheckedEvent = Exclude<TextEvent, { readonly type: 'alive' | 'finish' }> | Finish
export type Finish = Extract<z.output<typeof responseSchemas.textEvent>, { type: 'finish' }>

/**
 * A stream is buffered for the whole response, even while the client reads nothing, so its length needs a limit. It is
 * generous: few tokens are this long, and some servers do not count all that they send.
 */
const maxCharactersPerToken = 32
const minStreamLength = 100_000
/** A stream that never waits for I/O would block timers, and so its own deadline. */
const eventsPerTurn = 64

/** Checks the events of one stream, and keeps its counts for the end. */
export class EventCheck {
  readonly #maxLength: number
  /** Core's warnings about the request, which the end reports. */
  readonly #warnings: readonly Issue[]
  #usage: Finish['usage']
  #length = 0
  #eventsOfTurn = 0

  constructor({ maxTokens = Infinity }: TextRequest, warnings: readonly Issue[]) {
    this.#maxLength = Math.min(maxCharacters, Math.max(minStreamLength, maxTokens * maxCharactersPerToken))
    this.#warnings = warnings
  }

  /** Whether other work should be let through before the next event. */
  get needsTurn(): boolean {
    return this.#eventsOfTurn === eventsPerTurn
  }

  /** Lets it through. */
  yieldToEventLoop(): Promise<void> {
    this.#eventsOfTurn = 0
    return nextTurn()
  }

  /**
   * @returns undefined for a ping, or an event of a newer contract that this version does not know
   * @throws ContractViolation
   */
  accept(raw: unknown): CheckedEvent | undefined {
    this.#eventsOfTurn++
    const event = checkedEvent(raw)
    switch (event?.type) {
      case 'part_start':
        this.#countText(textIn(event.part))
        return event
      case 'part_delta':
        this.#countText(event.text)
        return event
      case 'native':
        this.#countText(JSON.stringify(event.data))
        return event
      case 'usage':
        this.#usage = event.usage as Finish['usage']
        return event
      case 'finish':
        return this.#completed(event)
      default:
        return event
    }
  }

  #countText(text = ''): void {
    this.#length += text.length
    if (this.#length > this.#maxLength)
      throw new ContractViolation(`the stream has more than ${this.#maxLength} characters`)
  }

  #completed(finish: Finish): Finish {
    const usage = finish.usage ?? this.#usage
    if (usage === finish.usage && this.#warnings.length === 0) return finish
    return { ...finish, usage, warnings: [...finish.warnings, ...this.#warnings] }
  }
}

/** Whether an event shows nothing of the answer yet, so that another target may still be tried. */
export function isPrelude(event: CheckedEvent): boolean {
  if (event.type === 'start' || event.type === 'usage') return true
  if (event.type === 'native') return event.isAnswer !== true
  return event.type === 'part_start' && 'text' in event.part && event.part.text === '' && !event.part.providerOptions
}

/** The validated event; undefined for one that reaches nobody. Plain pieces of text, most of all events, are not copied. */
function checkedEvent(raw: unknown): CheckedEvent | undefined {
  if (isPlainDelta(raw)) return raw
  const type = typeof raw === 'object' && raw !== null && 'type' in raw ? raw.type : undefined
  if (typeof type === 'string' && !knownEvents.has(type)) return undefined
  return parseResponse(responseSchemas.textEvent, raw) as CheckedEvent
}

interface PlainDelta {
  readonly type: 'part_delta'
  readonly index: number
  readonly text: string
}

function isPlainDelta(raw: unknown): raw is PlainDelta {
  if (typeof raw !== 'object' || raw === null) return false
  const { type, index, text, citation, logprobs, data } = raw as Readonly<Record<string, unknown>>
  if (type !== 'part_delta' || typeof text !== 'string' || text.length > maxCharacters) return false
  return Number.isInteger(index) && citation === undefined && logprobs === undefined && data === undefined
}

const knownEvents = new Set<string>(responseSchemas.textEvent.options.map(({ shape }) => shape.type.value))
