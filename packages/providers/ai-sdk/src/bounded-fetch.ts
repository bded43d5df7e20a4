import { type Clock, ProviderError, systemClock } from '@fairlead/core/provider'

export interface BoundedFetchOptions {
  /** The maximum size of a reply, in bytes. Default: 32 MiB, enough for the largest image. */
  readonly maxBytes?: number | undefined
  /** Default: the global one. */
  readonly fetch?: typeof globalThis.fetch | undefined
  /** Default: the system's. */
  readonly clock?: Clock | undefined
}

const defaultMaxBytes = 32 * 1024 * 1024
/** How long to wait for the body of an error, whose status already says most. */
const maxErrorMs = 5_000

/**
 * A `fetch` for packages of the AI SDK, as in `createOpenAI({ fetch: boundedFetch() })`. On their own they read an
 * endless reply until memory runs out, and follow redirects to any host.
 */
export function boundedFetch({
  maxBytes = defaultMaxBytes,
  fetch = globalThis.fetch,
  clock = systemClock,
}: BoundedFetchOptions = {}) {
  const bounded: typeof globalThis.fetch = async (input, init) => {
    const response = await fetch(input, { ...init, redirect: 'error' })
    if (!response.body) return response
    const body = response.ok ? response.body : response.body.pipeThrough(endingAfter(maxErrorMs, clock))
    return new Response(body.pipeThrough(counting(maxBytes)), response)
  }
  return bounded
}

/** Ends the body after a while, as if it were complete. */
function endingAfter(ms: number, clock: Clock): TransformStream<Uint8Array, Uint8Array> {
  let end = () => {}
  const transformer = {
    start(controller: TransformStreamDefaultController<Uint8Array>) {
      end = clock.schedule(ms, () => controller.terminate())
    },
    flush: () => end(),
    // Node's streams have it, but the browser types do not yet.
    cancel: () => end(),
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
