import { type Connections, fetchTransport } from './fetch-transport.ts'

/** The connections of `fetch`, in place of a pool, for platforms on which undici opens none. */
export function openPool(): { readonly dispatcher: Connections } {
  return { dispatcher: fetchTransport(fetch) }
}
