import { StringDecoder } from 'node:string_decoder'
import { parseJson, ProviderError } from '@fairlead/core/provider'
import { createParser, type ParseError } from 'eventsource-parser'

/** The maximum length of an event, in characters. The last one of OpenAI's Responses API repeats the whole answer. */
const maxEventLength = 8 * 1024 * 1024
/** The maximum size of a stream: far more than the longest response with one event per token. */
const maxStreamBytes = 256 * 1024 * 1024

/** Turns the bytes of a stream into the data of its events, and undefined for comments. */
export interface EventInbox {
  /** @param piece undefined at the end of the stream */
  receive(piece: Buffer | undefined): readonly (string | undefined)[]
  /** Of JSON: whether a value has begun, and not ended. */
  readonly isPartial?: boolean
}

function decodeFrom(decoder: StringDecoder) {
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
        throw new ProviderError('give_up', `an event of the stream has more than ${maxEventLength} characters`)
      }
      // Errors without a field around them: llama.cpp's is `error`, others send the bare JSON.
      if (type === 'unknown-field' && field === 'error') add(value)
      else if (type === 'unknown-field' && line?.startsWith('{')) add(line)
    },
    maxBufferSize: maxEventLength,
  })
  const decode = decodeFrom(new StringDecoder('utf8'))
  return {
    receive(piece) {
      events = []
      const text = decode(piece)
      parser.feed(piece ? text : `${text}\n\n`)
      return events
    },
  }
}

/** Short texts are tried at once, so that a reply whose connection stays open is read. */
const maxTriedLength = 64 * 1024

/**
 * JSON in place of server-sent events: a value on each line, a list of values, or one value.
 *
 * @param eventsOf the events that a whole reply stands for
 */
export function createJsonInbox(
  eventsOf: (value: unknown) => readonly unknown[] | undefined,
  endMark: string | undefined,
): EventInbox {
  const decode = decodeFrom(new StringDecoder('utf8'))
  let rest = ''
  let hasLines = true
  const read = (value: unknown): readonly string[] => {
    if (Array.isArray(value)) return value.flatMap(read)
    const events = eventsOf(value)
    const texts = (events ?? [value]).map((event) => JSON.stringify(event))
    return events && endMark !== undefined ? [...texts, endMark] : texts
  }
  const readText = (text: string): readonly string[] | undefined => {
    if (text === endMark) return [text]
    const value = parseJson(text)
    return value === undefined ? undefined : read(value)
  }
  const readLines = (): readonly string[] => {
    const found: string[] = []
    for (let end = rest.indexOf('\n'); hasLines && end >= 0; end = rest.indexOf('\n')) {
      const line = rest.slice(0, end).trim()
      const texts = line === '' ? [] : readText(line)
      // The first line of a value that has several.
      if (!texts) hasLines = false
      else {
        found.push(...texts)
        rest = rest.slice(end + 1)
      }
    }
    return found
  }
  return {
    get isPartial() {
      return rest !== ''
    },
    receive(piece) {
      rest += decode(piece)
      if (rest.length > maxEventLength) {
        throw new ProviderError('give_up', `an event of the stream has more than ${maxEventLength} characters`)
      }
      const found = readLines()
      const text = rest.trim()
      const isTried = !piece || (text.length <= maxTriedLength && /[}\]]$/.test(text))
      if (text === '') rest = ''
      if (text === '' || !isTried) return found
      const texts = readText(text) ?? (piece ? undefined : [text])
      if (!texts) return found
      rest = ''
      hasLines = true
      return [...found, ...texts]
    },
  }
}
