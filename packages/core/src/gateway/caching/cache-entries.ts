import { fingerprintOf } from '../../runtime/idempotency.ts'
import type { Cipher } from '../../runtime/keyring.ts'
import type { Route, Target } from '../routing/route.ts'

/**
 * Stores texts for a limited time. Entries may be evicted at any time.
 *
 * Requests wait for `get`, so it must settle within a fraction of a second, even if the backend is unavailable: a cache
 * then returns undefined and logs the outage once. A rejection counts as a miss.
 */
export interface Cache {
  get(key: string): Promise<string | undefined>
  /** Settles when the text is stored, or could not be stored. */
  set(key: string, text: string, ttlMs: number): Promise<void>
  /** Releases connections. No method is called afterwards. */
  close?(): Promise<void>
}

/** A response and the target that returned it. */
export interface TargetAnswer<At extends Target, Answer> {
  readonly target: At
  readonly answer: Answer
}

/** Encrypted cache entries, so that others who can read the cache learn neither requests nor responses. */
export interface CacheEntries {
  /** The cache key of a request. It begins with the account. */
  key<At extends Target>(request: CacheableRequest<At>): string
  find<At extends Target, Answer>(key: string, route: Route<At>): Promise<TargetAnswer<At, Answer> | undefined>
  /** Never rejects. */
  store<At extends Target>(key: string, answered: TargetAnswer<At, unknown>, ttlMs: number): Promise<void>
}

/** All that a response depends on. */
export interface CacheableRequest<At extends Target, Request = unknown> {
  /** Responses are never shared between accounts. */
  readonly account: string
  readonly operation: string
  readonly route: Route<At>
  readonly request: Request
  /** Whether the response may come from the cache and be stored in it. */
  readonly repeatable: boolean
}

export interface CacheEntriesOptions {
  readonly cache: Cache
  readonly cipher: Cipher
  /** A message authentication code, so that a guessed prompt cannot be verified against a key. */
  readonly mac: (text: string) => Uint8Array
}

/** Incremented when the format of entries changes. */
const format = 2

interface Entry {
  readonly provider: string
  readonly id: string
  readonly answer: unknown
}

export function cacheEntries({ cache, cipher, mac }: CacheEntriesOptions): CacheEntries {
  /** A failure of the cache, even a synchronous one, is a miss. */
  async function read(key: string): Promise<unknown> {
    try {
      return await cache.get(key)
    } catch {
      return undefined
    }
  }

  return {
    key({ account, operation, route: { targets }, request }) {
      const targetIds = targets.map(({ provider, id }) => [provider.id, id])
      const code = mac(fingerprintOf([format, account, operation, targetIds, request]))
      return `${account}:${Buffer.from(code).toString('base64url')}`
    },
    async find<At extends Target, Answer>(key: string, { targets }: Route<At>) {
      const sealed = await read(key)
      const text = typeof sealed === 'string' ? cipher.open(sealed, key) : undefined
      if (text === undefined) return undefined
      const { provider, id, answer } = JSON.parse(text) as Entry
      const target = targets.find((each) => each.provider.id === provider && each.id === id)
      return target && { target, answer: answer as Answer }
    },
    async store(key, { target, answer }, ttlMs) {
      const entry: Entry = { provider: target.provider.id, id: target.id, answer }
      try {
        await cache.set(key, cipher.seal(JSON.stringify(entry), key), ttlMs)
      } catch {
        // The response is returned without being cached.
      }
    },
  }
}
