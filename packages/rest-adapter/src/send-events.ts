import { openEventStream } from '@fairlead/node-http'
import type { Streaming } from '@fairlead/core'
import type { Exchange } from './exchange.ts'
import { successHeaders } from './success-headers.ts'
import { failureBody, successBody } from './wire-envelope.ts'
import type { WireNames } from './wire-names.ts'

export interface EventNames {
  readonly data: WireNames
  readonly chunk: WireNames
}

/** Streams as `text/event-stream`: `chunk` events, then `done` with the whole body, or `error`. */
export async function sendEvents(
  exchange: Exchange,
  reply: Streaming<unknown, unknown>,
  names: EventNames,
  hoist: boolean,
): Promise<void> {
  const { response, clock } = exchange
  response.writeHead(200, {
    ...successHeaders(exchange, reply),
    'Content-Type': 'text/event-stream; charset=utf-8',
    'X-Accel-Buffering': 'no',
  })
  const stream = openEventStream(response, clock)
  try {
    for await (const event of reply.events) {
      if (event.type === 'error') exchange.code = event.reply.error.code
      await stream.send(event.type, JSON.stringify(bodyOf(event, names, hoist)))
      if (response.destroyed) break
    }
  } finally {
    stream.end()
  }
}

type Event = Streaming<unknown, unknown>['events'] extends AsyncIterable<infer Item> ? Item : never

function bodyOf(event: Event, names: EventNames, hoist: boolean): unknown {
  switch (event.type) {
    case 'chunk':
      return names.chunk.write(event.chunk)
    case 'done':
      return successBody(event.reply, names.data, hoist)
    case 'error':
      return failureBody(event.reply)
  }
}
