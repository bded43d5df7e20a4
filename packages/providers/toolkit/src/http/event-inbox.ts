import { StringDecoder } from 'node:string_decoder'
import { parseJson, ProviderError } from '@fairlead/core/provider'
import { createParser, type ParseError } from 'eventsource-parser'

/** The maximum length of an event, in characters. The last one of OpenAI's Responses API repeats the whole answer. */
export const maxEventLength = 8 * 1024 * 1024
/** The maximum size of a stream: far more than the longest response with one event per token. */
const maxStreamBytes = 256 * 1024 * 1024

/** Turns the bytes of a stream into the data of its events, and undefined for comments. */
export interface EventInbox {
  /** @param piece undefined at the end of the stream */
  receive(piece: Buffer | undefined): readonly (string | undefined)[]
  /** Of JSON: whether a value has begun, and not ended. */
  readonly isPartial?: boolean
}

export function eventTooLong(): ProviderError {
  return new ProviderError('give_up', `an event of the stream has more than ${maxEventLength} characters`)
}

/** Decodes the bytes of a stream, up to its maximum size, without the byte order mark. */
export function receiveText(): (piece: Buffer | undefined) => string {
  const decoder = new StringDecoder('utf8')
  let bytes = 0
  let isStart = true
  return (piece: Buffer | undefined): string => {
    bytes += piece?.length ?? 0
    if (bytes > maxStreamBytes) throw new ProviderError('give_up', `the stream has more than ${maxStreamBytes} bytes`)
    const text = piece ? decoder.write(piece) : decoder.end()
    if (!isStart || text === '') return text
    isStart = false
    return text.startsWith('\uFEFF') ? text.slice(1) : text
  }
}

/** Server-sent events. The last one needs no empty line after it. */
export function createEventInbox(keepsComments: boolean): EventInbox {
  let events: (string | undefined)[] = []
  const add = (data: string | undefined) => {
    // An array that grows takes room for 17 events.
    if (events.length === 0) events = [data]
    else events.push(data)
  }
  const addData = (data: string) => {
    if (data === '') return
    // Some servers put only one line break between events.
    if (data.includes('\n') && parseJson(data) === undefined) for (const line of data.split('\n')) add(line)
    else add(data)
  }
  const parser = createParser({
    onEvent: ({ data }) => addData(data),
    ...(keepsComments && { onComment: () => add(undefined) }),
    onError({ type, field, value, line }: ParseError) {
      if (type === 'max-buffer-size-exceeded') {
        throw eventTooLong()
      }
      // Errors without a field around them: llama.cpp's is `error`, others send the bare JSON.
      if (type === 'unknown-field' && field === 'error') add(value)
      else if (type === 'unknown-field' && line?.startsWith('{')) add(line)
    },
    maxBufferSize: maxEventLength,
  })
  const receive = receiveText()
  return {
    receive(piece) {
      events = []
      const text = receive(piece)
      parser.feed(piece ? text : `${text}\n\n`)
      return events
    },
  }
}
