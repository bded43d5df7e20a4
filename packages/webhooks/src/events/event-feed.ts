import { setImmediate as nextTurn } from 'node:timers/promises'
import { FairleadError, type FeatureContext } from '@fairlead/core'
import { invalidRequest } from '@fairlead/core/adapter'
import type { EventRow } from '@fairlead/core/stores'
import { createOutageLog } from '@fairlead/core/feature'
import type { EventPosition, WebhookStores } from '../webhook-store.ts'

export interface FollowRequest {
  matches(event: EventRow): boolean
  /** The id of the last event that the caller has. Default: only events from now on. */
  readonly after: string | undefined
  readonly signal: AbortSignal
}

/** How often to look for events of other processes, in milliseconds. */
const pollMs = 250
const pageSize = 500
/** A follower that has not read this many events is ended. It can continue after the last one it read. */
const maxUnread = 5_000

interface Follower {
  readonly matches: (event: EventRow) => boolean
  readonly unread: EventRow[]
  wake(): void
}

export interface EventFeedOptions extends Pick<FeatureContext<WebhookStores>, 'stores' | 'clock' | 'log'> {
  /** Calls back when events were stored in this process. Returns how to stop. */
  onCommitted(listener: () => void): () => void
}

export type EventFeed = ReturnType<typeof createEventFeed>

/**
 * Follows the events of all processes as they are committed. One query for all followers reads what is new; a follower that
 * continues after an older event first reads up to there.
 */
export function createEventFeed({ stores, clock, log, onCommitted }: EventFeedOptions) {
  const reads = createOutageLog(log, 'read events for streams')
  const followers = new Set<Follower>()
  /** Exists while there are followers. */
  let tail: ReturnType<typeof openTail> | undefined

  /** The end of the stored events, as far as it was read. */
  async function openTail() {
    let position = await stores.read((view) => view.events.lastPosition())
    let reading: Promise<void> | undefined
    let readAgain = false

    /** Resolves after everything was read that is stored now. Never rejects. */
    function readNew(): Promise<void> {
      readAgain = true
      return (reading ??= readPages())
    }

    async function readPages(): Promise<void> {
      try {
        while (readAgain) {
          readAgain = false
          const page = await stores.read((view) => view.events.follow(position, pageSize))
          reads.succeeded()
          position = page.position
          for (const follower of followers) hand(follower, page.events)
          if (page.events.length === pageSize) {
            readAgain = true
            // Followers read in between.
            await nextTurn()
          }
        }
      } catch (error) {
        reads.failed(error)
      } finally {
        reading = undefined
      }
    }

    function poll(): void {
      cancelPoll = clock.schedule(pollMs, poll)
      void readNew()
    }

    let cancelPoll = clock.schedule(pollMs, poll)
    const stopListening = onCommitted(() => void readNew())
    return {
      position: () => position,
      readNew,
      close() {
        cancelPoll()
        stopListening()
      },
    }
  }

  function leave(follower: Follower): void {
    followers.delete(follower)
    if (followers.size > 0) return
    void tail?.then(({ close }) => close()).catch(() => {})
    tail = undefined
  }

  /** The events after that one, up to a place. */
  async function* missed(after: string, until: EventPosition): AsyncGenerator<EventRow, void, undefined> {
    let position = await stores.read((view) => view.events.positionOf(after))
    while (position !== undefined) {
      const from = position
      const page = await stores.read((view) => view.events.follow(from, pageSize, until))
      yield* page.events
      position = page.events.length < pageSize ? undefined : page.position
    }
  }

  return {
    /** Yields events in the order of their commits, until the signal aborts; then rejects with its reason. */
    async *follow({ matches, after, signal }: FollowRequest): AsyncGenerator<EventRow, void, undefined> {
      let wake = () => {}
      const follower: Follower = { matches, unread: [], wake: () => wake() }
      const onAbort = () => wake()
      signal.addEventListener('abort', onAbort)
      try {
        followers.add(follower)
        const { position, readNew } = await (tail ??= openTail())
        if (after !== undefined) {
          // Another process may have sent an event that this one has not read.
          await readNew()
          follower.unread.length = 0
          for await (const event of missed(after, position())) if (matches(event)) yield event
        }
        while (!signal.aborted) {
          const event = follower.unread.shift()
          if (event) yield event
          else await new Promise<void>((resolve) => (wake = resolve))
          if (follower.unread.length > maxUnread) throw tooSlow()
        }
        throw signal.reason
      } finally {
        signal.removeEventListener('abort', onAbort)
        leave(follower)
      }
    },
    /** Throws `INVALID_REQUEST` unless the event is still stored. */
    async checkStart(after: string | undefined): Promise<void> {
      if (after === undefined || (await stores.read((view) => view.events.find(after)))) return
      throw invalidRequest({ field: 'after', issue: 'is not a stored event: list the events, or omit it to start now' })
    },
  }
}

function hand({ matches, unread, wake }: Follower, events: readonly EventRow[]): void {
  for (const event of events) if (unread.length <= maxUnread && matches(event)) unread.push(event)
  wake()
}

function tooSlow(): FairleadError {
  const message = 'The client reads too slowly. Continue after the last event received.'
  return new FairleadError('SERVICE_UNAVAILABLE', message, { retryAfterMs: 1_000 })
}
