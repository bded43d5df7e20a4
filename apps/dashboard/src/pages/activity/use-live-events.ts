import { useEffect, useState } from 'react'
import { sendAuthorized } from '../../api/client.ts'
import { serviceUrl } from '../../home.ts'
import type { Event } from './event-summary.ts'
import { followEvents } from './follow-events.ts'

export interface LiveEvents {
  readonly status: 'connecting' | 'live' | 'lost' | 'rejected'
  /** The error that ended the stream, while the status is `rejected`. */
  readonly error: unknown
  /** The newest first. */
  readonly events: readonly Event[]
}

export interface LiveFilters {
  readonly type: string | undefined
  readonly resourceId: string | undefined
  readonly userId: string | undefined
  /** The id of the newest event that is known. Null if there is none; undefined if that is not known yet. */
  readonly after: string | null | undefined
}

const idle: LiveEvents = { status: 'connecting', error: undefined, events: [] }
/** Older ones are in the list of events. */
const maxEvents = 500

/** The events since the newest one that is known, as they happen. */
export function useLiveEvents({ type, resourceId, userId, after }: LiveFilters): LiveEvents {
  const [live, setLive] = useState(idle)
  useEffect(() => {
    setLive(idle)
    if (after === undefined) return undefined
    const stop = new AbortController()
    const { signal } = stop
    followEvents({
      signal,
      after: after ?? undefined,
      open: (last) =>
        sendAuthorized(
          new Request(streamUrl({ type, resource_id: resourceId, user_id: userId, after: last }), { signal }),
        ),
      onOpen: () => setLive((before) => ({ ...before, status: 'live' })),
      onEvent: (event) => setLive((before) => ({ ...before, events: [event, ...before.events].slice(0, maxEvents) })),
      onLost: () => setLive((before) => ({ ...before, status: 'lost' })),
      wait: (delayMs) => new Promise((resolve) => setTimeout(resolve, delayMs)),
    }).catch((error: unknown) => setLive((before) => ({ ...before, status: 'rejected', error })))
    return () => stop.abort()
  }, [type, resourceId, userId, after])
  return live
}

function streamUrl(query: Readonly<Record<string, string | undefined>>): URL {
  const url = new URL(`${serviceUrl}/events/stream`)
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value)
  return url
}
