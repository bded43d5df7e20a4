import { type EventSourceMessage, EventSourceParserStream } from 'eventsource-parser/stream'

/** Reads the events of a `text/event-stream` as they arrive. An event source of the browser cannot send an access token. */
export async function* readServerSentEvents(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<EventSourceMessage, void, undefined> {
  // Safari cannot iterate over a stream.
  const reader = body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream()).getReader()
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value
  } finally {
    // An aborted stream rejects it.
    reader.cancel().catch(() => {})
  }
}
