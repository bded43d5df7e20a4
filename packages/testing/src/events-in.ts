import type { RecordedEvent } from './fakes/recorded-exchange.ts'
import { createParser } from 'eventsource-parser'

/** An event of a stream, as `RecordedReply` has it. */
export interface SentEvent extends RecordedEvent {
  readonly id?: string
}

/**
 * The events of a complete `text/event-stream`, without its comments. Data that is JSON is parsed.
 *
 * @example
 * const response = await fetch(`${url}/generate`, { method: 'POST', headers, body })
 * expect(eventsIn(await response.text()).at(-1)).toMatchObject({ event: 'done' })
 */
// oxlint-disable-next-line typescript/no-explicit-any -- tests read data of any shape
export function eventsIn(text: string): readonly (SentEvent & { readonly data: any })[] {
  const events: SentEvent[] = []
  createParser({
    onEvent: ({ id, event, data }) =>
      void events.push({
        ...(id !== undefined && { id }),
        ...(event !== undefined && { event }),
        data: parseValue(data),
      }),
  }).feed(text)
  return events
}

/** A text that is not JSON, such as `[DONE]`, as it is. */
function parseValue(data: string): unknown {
  try {
    return JSON.parse(data)
  } catch {
    return data
  }
}
