import type { Failure } from '@fairlead/core'
import type { WithAnswer } from '@fairlead/core/adapter'
import type { AnswerPart, PartEnd, ResponseFacts, TextAnswer, TextDelta, TextEvent } from '@fairlead/core/provider'
import type { EventWriter, ResultEvent } from './responses.ts'

export type NativeEvent = Extract<TextEvent, { readonly type: 'native' }>

/** Writes the events of one streamed answer in the form of a surface. `Open` is what is kept of a part until it ends. */
export abstract class AnswerWriter<Open extends object> implements EventWriter {
  /** The text that was written for the current event. */
  protected text = ''
  readonly #open = new Map<number, Open>()

  protected abstract start(response: ResponseFacts): void
  /** @returns undefined for a part that is not shown */
  protected abstract startPart(part: AnswerPart): Open | undefined
  protected abstract extend(open: Open, delta: TextDelta): void
  protected abstract endPart(open: Open, end: PartEnd): void
  protected abstract finish(answer: TextAnswer): void
  protected abstract fail(failure: Failure): void
  /** The counts so far. */
  protected count?(usage: NonNullable<TextAnswer['usage']>): void
  /** An event of an upstream of the surface's own API that belongs to no part. */
  protected addNative?(event: NativeEvent): void

  write(event: ResultEvent): string {
    this.text = ''
    if (event.type === 'chunk') this.#add(event.chunk as TextEvent)
    else if (event.type === 'done') this.finish(toTextAnswer(event.reply.data as WithAnswer))
    else this.fail(event.reply)
    return this.text
  }

  #add(event: TextEvent): void {
    if (event.type === 'start') return this.start(event.response)
    if (event.type === 'usage') return this.count?.(event.usage)
    if (event.type === 'native') return this.addNative?.(event)
    if (!('index' in event)) return
    const { index } = event
    const open = event.type === 'part_start' ? this.startPart(event.part) : this.#open.get(index)
    if (!open) return
    if (event.type === 'part_delta') this.extend(open, event)
    else if (event.type === 'part_start') this.#open.set(index, open)
    else {
      this.#open.delete(index)
      this.endPart(open, event as PartEnd)
    }
  }
}

/** The answer of a result, which core adds for transports that passed the request in their own form. */
export function toTextAnswer(result: WithAnswer): TextAnswer {
  if (result.answer) return result.answer
  throw new Error('the result has no answer in the form of the provider contract')
}

/** An id with the digits of the request's own. */
export function idFor(prefix: string, requestId: string): string {
  return prefix + requestId.slice(requestId.indexOf('_') + 1)
}
