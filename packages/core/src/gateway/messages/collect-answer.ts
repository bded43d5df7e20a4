import type { TextAnswer, TextDelta, TextEvent } from './answer.ts'
import type { AnswerPart, OpaquePart } from './message.ts'
import { ProviderError } from '../provider-error.ts'
import { completePart, ContractViolation, maxCitations } from '../provider-responses.ts'

/** An event that belongs to a part of the answer. */
export type PartEvent = Extract<TextEvent, { readonly type: 'part_start' | 'part_delta' | 'part_end' }>

/** The end of a part, with the whole part, for transports that write the parts in their own form. */
export type PartEnd = Extract<PartEvent, { readonly type: 'part_end' }> & { readonly part: AnswerPart }

type Growing<Part> = { -readonly [Field in keyof Part]: Part[Field] }
/** A part as its events have made it so far. */
type GrowingPart = Growing<Exclude<AnswerPart, { readonly type: 'opaque' }>> | Growing<OpaquePart>

/** Collects the parts of an answer from the events of a stream. An event out of order throws a `ContractViolation`. */
export class AnswerCollector {
  /** In the order of their starts. */
  readonly #parts = new Map<number, GrowingPart>()
  readonly #open = new Set<number>()

  /** Adds an event. Returns the part that it belongs to. */
  add(event: PartEvent): AnswerPart {
    const { index } = event
    if (event.type === 'part_start') {
      if (this.#parts.has(index)) throw new ContractViolation(`part ${index} starts twice`)
      this.#open.add(index)
      this.#parts.set(index, { ...event.part })
      return event.part
    }
    const part = this.#parts.get(index)
    if (!part || !this.#open.has(index))
      throw new ContractViolation(`a ${event.type} belongs to part ${index}, which is not open`)
    if (event.type === 'part_delta') addDelta(part, event)
    else {
      this.#open.delete(index)
      addData(part, event)
    }
    return part
  }

  /** The parts so far, as their events have made them. */
  get partial(): Iterable<AnswerPart> {
    return this.#parts.values()
  }

  /** The whole answer. Throws if a part has not ended. */
  parts(): readonly AnswerPart[] {
    if (this.#open.size > 0) throw new ContractViolation('the stream ended before a part of it')
    return Array.from(this.#parts.values(), completePart).filter((part) => !isEmptyText(part))
  }
}

function addDelta(part: GrowingPart, { text, citation }: TextDelta): void {
  if (text !== undefined) {
    if (part.type === 'tool_call') part.inputText += text
    else if ('text' in part) part.text += text
  }
  if (!citation || part.type !== 'text') return
  part.citations = [...(part.citations ?? []), citation]
  if (part.citations.length > maxCitations)
    throw new ContractViolation(`a part has more than ${maxCitations} citations`)
}

function addData(part: GrowingPart, { providerOptions, native }: Extract<PartEvent, { type: 'part_end' }>): void {
  if (part.type === 'opaque') {
    part.data = native?.[part.dialect] ?? part.data
    return
  }
  if (providerOptions) part.providerOptions = { ...part.providerOptions, ...providerOptions }
  if (native) part.native = { ...part.native, ...native }
}

/** The text that deltas of the part extend. */
export function textIn(part: AnswerPart): string {
  if (part.type === 'tool_call') return part.inputText
  return 'text' in part ? part.text : ''
}

/** A text, reasoning or refusal that says nothing and carries nothing to send back. */
function isEmptyText(part: AnswerPart): boolean {
  return 'text' in part && part.text === '' && !part.providerOptions && !part.native
}

/** A stream that ended without `finish`. */
export function truncated(): ProviderError {
  return new ProviderError('retry', 'the stream ended before its finish', { mayBill: true })
}

/** A whole answer as the events of a stream: each part starts with all that it has. */
export function* answerEvents({ parts, ...finish }: TextAnswer): Generator<TextEvent, void, undefined> {
  if (finish.response) yield { type: 'start', response: finish.response }
  for (const [index, part] of parts.entries()) {
    yield { type: 'part_start', index, part }
    const end: PartEnd = { type: 'part_end', index, part }
    yield end
  }
  yield { type: 'finish', ...finish }
}

/**
 * The answer of a stream. Throws for events out of order, and for a stream without `finish`.
 *
 * @example
 *   const { parts } = await collectAnswer(provider.streamText(request, call))
 */
export async function collectAnswer(events: AsyncIterable<TextEvent> | Iterable<TextEvent>): Promise<TextAnswer> {
  const collector = new AnswerCollector()
  let usage: TextAnswer['usage']
  for await (const event of events) {
    if ('index' in event) collector.add(event)
    if (event.type === 'usage') usage = event.usage
    if (event.type !== 'finish') continue
    const { type: _type, ...finish } = event
    return { parts: collector.parts(), ...(usage && { usage }), ...finish }
  }
  throw truncated()
}
