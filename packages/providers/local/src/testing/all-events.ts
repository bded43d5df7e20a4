import type { TextEvent } from '@fairlead/core/provider'

/** The events of a stream that ends without an error. */
export async function allEvents(stream: AsyncIterable<TextEvent>): Promise<readonly TextEvent[]> {
  const events: TextEvent[] = []
  for await (const event of stream) events.push(event)
  return events
}
