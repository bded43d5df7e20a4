import type { TextAnswer, TextDelta, TextEvent } from './answer.ts'
import type { AnswerPart, Citation, Native, ProviderOptions } from './message.ts'
import { ProviderError } from './provider-error.ts'
import { ContractViolation } from './provider-responses.ts'
import { readToolInput } from './tool-input.ts'

/** An event that belongs to a part of the answer. */
export type PartEvent = Extract<TextEvent, { readonly type: 'part_start' | 'part_delta' | 'part_end' }>

interface CollectedPart {
  readonly start: AnswerPart
  /** Of the deltas so far. */
  text: string
  citations: readonly Citation[] | undefined
  providerOptions: ProviderOptions | undefined
  native: Native | undefined
  isOpen: boolean
}

/** Collects the parts of an answer from the events of a stream. An event out of order throws a `ContractViolation`. */
export class AnswerCollector {
  /** In the order of their starts. */
  readonly #parts = new Map<number, CollectedPart>()
  #open = 0

  /** Adds an event. Returns the part that it belongs to, as it started. */
  add(event: PartEvent): AnswerPart {
    if (event.type === 'part_start') return this.#start(event.index, event.part)
    const part = this.#parts.get(event.index)
    if (!part?.isOpen) throw new ContractViolation(`a ${event.type} belongs to part ${event.index}, which is not open`)
    if (event.type === 'part_delta') addDelta(part, event)
    else this.#end(part, event)
    return part.start
  }

  /** The whole answer. Throws if a part has not ended. */
  parts(): readonly AnswerPart[] {
    if (this.#open > 0) throw new ContractViolation('the stream ended before a part of it')
    return Array.from(this.#parts.values(), toPart).filter((part) => !isEmptyText(part))
  }

  #start(index: number, start: AnswerPart): AnswerPart {
    if (this.#parts.has(index)) throw new ContractViolation(`part ${index} starts twice`)
    const { providerOptions, native } = start.type === 'opaque' ? ({} as Partial<CollectedPart>) : start
    const citations = start.type === 'text' ? start.citations : undefined
    this.#parts.set(index, { start, text: textIn(start), citations, providerOptions, native, isOpen: true })
    this.#open++
    return start
  }

  #end(part: CollectedPart, { providerOptions, native }: Extract<PartEvent, { readonly type: 'part_end' }>): void {
    part.isOpen = false
    this.#open--
    if (providerOptions) part.providerOptions = { ...part.providerOptions, ...providerOptions }
    if (native) part.native = { ...part.native, ...native }
  }
}

function addDelta(part: CollectedPart, { text, citation }: TextDelta): void {
  if (text !== undefined) part.text += text
  if (citation) part.citations = [...(part.citations ?? []), citation]
}

/** The text that deltas of the part extend. */
export function textIn(part: AnswerPart): string {
  if (part.type === 'tool_call') return part.inputText
  return 'text' in part ? part.text : ''
}

function toPart({ start, text, citations, providerOptions, native }: CollectedPart): AnswerPart {
  const data = { ...(providerOptions && { providerOptions }), ...(native && { native }) }
  switch (start.type) {
    case 'text':
      return { type: 'text', text, ...(citations && { citations }), ...data }
    case 'reasoning':
    case 'refusal':
      return { type: start.type, text, ...data }
    case 'tool_call':
      return { type: 'tool_call', id: start.id, name: start.name, ...readToolInput(text), ...data }
    case 'file':
      return { ...start, ...data }
    case 'opaque':
      return native?.[start.dialect] ? { ...start, data: native[start.dialect]! } : start
  }
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
    yield { type: 'part_end', index }
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
