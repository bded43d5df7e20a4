import { type Clock, ProviderError, systemClock } from '@fairlead/core/provider'

export interface BoundedFetchOptions {
  /** The longest reply, in bytes. Default: 32 MiB, which holds the largest image. */
  readonly maxBytes?: number
  /** Default: the global one. */
  readonly fetch?: typeof globalThis.fetch
  /** Default: the system's. */
  readonly clock?: Clock
}

const defaultMostBytes = 32 * 1024 * 1024
/** A status that failed has said what matters: its words are waited for no longer. */
const mostErrorMs = 5_000

/**
 * A `fetch` for packages of the AI SDK, as in `createOpenAI({ fetch: boundedFetch() })`. By themselves they read a reply
 * that never ends until memory or time does, and follow an upstream wherever it redirects them.
 */
export function boundedFetch({
  maxBytes = defaultMostBytes,
  fetch = globalThis.fetch,
  clock = systemClock,
}: BoundedFetchOptions = {}) {
  const bounded: typeof globalThis.fetch = async (input, init) => {
    const response = await fetch(input, { ...init, redirect: 'error' })
    if (!response.body) return response
    const body = response.ok ? response.body : response.body.pipeThrough(endingAfter(mostErrorMs, clock))
    return new Response(body.pipeThrough(counting(maxBytes)), response)
  }
  return bounded
}

/** Passes on what comes in time, as if that were all. */
function endingAfter(ms: number, clock: Clock): TransformStream<Uint8Array, Uint8Array> {
  let cancel = () => {}
  const end = () => cancel()
  const transformer = {
    start(controller: TransformStreamDefaultController<Uint8Array>) {
      cancel = clock.schedule(ms, () => controller.terminate())
    },
    flush: end,
    // In Node's streams, and not yet in the types of browsers'.
    cancel: end,
  }
  return new TransformStream(transformer)
}

function counting(maxBytes: number): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.byteLength
      if (bytes > maxBytes) throw new ProviderError('give_up', `the reply has more than ${maxBytes} bytes`)
      controller.enqueue(chunk)
    },
  })
}
