import { isTemporary, toApiError } from '../../api/api-error.ts'
import { readServerSentEvents } from '../../api/server-sent-events.ts'
import type { Event } from './event-summary.ts'

export interface FollowOptions {
  /** Opens the stream. Without an id, the stream starts now. */
  open(after: string | undefined): Promise<Response>
  /** The id of the last event that is known. */
  readonly after: string | undefined
  onOpen(): void
  onEvent(event: Event): void
  /** Called when the stream ended and will be opened again. */
  onLost(): void
  /** Resolves when the next attempt is due. */
  wait(delayMs: number): Promise<void>
  readonly signal: AbortSignal
}

const firstDelayMs = 1_000
const maxDelayMs = 15_000

/**
 * Follows the stream of events, and opens it again after the last event whenever it ends. Rejects with the error body if the
 * service rejects the request, and returns when the signal aborts.
 */
export async function followEvents(options: FollowOptions): Promise<void> {
  const { signal } = options
  let { after } = options
  let delayMs = firstDelayMs
  while (!signal.aborted) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- one stream after the other
      const response = await options.open(after)
      // oxlint-disable-next-line no-await-in-loop -- its error
      if (!response.ok || !response.body) throw await response.json()
      options.onOpen()
      delayMs = firstDelayMs
      // oxlint-disable-next-line no-await-in-loop -- events in their order
      for await (const { event, data, id } of readServerSentEvents(response.body)) {
        if (event !== 'message') break
        options.onEvent(JSON.parse(data) as Event)
        after = id
      }
    } catch (error) {
      if (signal.aborted) return
      // The last event is no longer stored.
      if (toApiError(error).fields.has('after')) after = undefined
      else if (isRejection(error)) throw error
    }
    if (signal.aborted) return
    options.onLost()
    // oxlint-disable-next-line no-await-in-loop -- before the next attempt
    await options.wait(delayMs)
    delayMs = Math.min(maxDelayMs, delayMs * 2)
  }
}

/** Whether the service rejected the request, and would again. */
function isRejection(error: unknown): boolean {
  return toApiError(error).requestId !== undefined && !isTemporary(error)
}
