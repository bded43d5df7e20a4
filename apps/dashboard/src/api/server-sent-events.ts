export interface ServerSentEvent {
  /** Default: `message`. */
  readonly event: string
  readonly data: string
  /** Undefined if the event has none. */
  readonly id: string | undefined
}

/** Reads the events of a `text/event-stream` as they arrive. An event source of the browser cannot send an access token. */
export async function* readServerSentEvents(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<ServerSentEvent, void, undefined> {
  // Safari cannot iterate over a stream.
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      const blocks = (rest + read.value).split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) {
        const event = parseBlock(block)
        if (event) yield event
      }
    }
  } finally {
    // An aborted stream rejects it.
    reader.cancel().catch(() => {})
  }
}

/** Undefined for comments, which keep the connection open. */
function parseBlock(block: string): ServerSentEvent | undefined {
  let event = 'message'
  let id: string | undefined
  const data: string[] = []
  for (const line of block.split('\n')) {
    const [, name, value = ''] = /^(\w+): ?(.*)$/.exec(line) ?? []
    if (name === 'event') event = value
    else if (name === 'id') id = value
    else if (name === 'data') data.push(value)
  }
  return data.length === 0 ? undefined : { event, data: data.join('\n'), id }
}
