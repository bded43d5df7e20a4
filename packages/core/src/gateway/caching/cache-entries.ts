import { accountName, type Caller } from '../../runtime/access.ts'
import { fingerprintOf } from '../../runtime/run/idempotency.ts'
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

export interface TargetAnswer<At extends Target, Answer> {
  readonly target: At
  readonly answer: Answer
}

/** All that a response depends on. */
export interface CacheableRequest<At extends Target, Request = unknown> {
  readonly operation: string
  readonly route: Route<At>
  readonly request: Request
  /** Whether the response may come from the cache and be stored in it. */
  readonly repeatable: boolean
  /** The response that answers it instead of a provider, once it was found. */
  readonly stored?: TargetAnswer<Target, unknown>
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

/** Encrypted cache entries, so that others who can read the cache learn neither requests nor responses. */
export function cacheEntries({ cache, cipher, mac }: CacheEntriesOptions) {
  /** A failure of the cache, even a synchronous one, is a miss. */
  async function read(key: string): Promise<unknown> {
    try {
      return await cache.get(key)
    } catch {
      return undefined
    }
  }

  return {
    /** The cache key of a request. It begins with the account: responses are never shared between accounts. */
    key(caller: Caller, { operation, route: { targets }, request }: CacheableRequest<Target>): string {
      const account = accountName(caller)
      const targetIds = targets.map(({ provider, id }) => [provider.id, id])
      const code = mac(fingerprintOf([format, account, operation, targetIds, request]))
      return `${account}:${Buffer.from(code).toString('base64url')}`
    },
    async find<At extends Target, Answer>(
      key: string,
      { targets }: Route<At>,
    ): Promise<TargetAnswer<At, Answer> | undefined> {
      const sealed = await read(key)
      const text = typeof sealed === 'string' ? cipher.open(sealed, key) : undefined
      if (text === undefined) return undefined
      const { provider, id, answer } = JSON.parse(text) as Entry
      const target = targets.find((each) => each.provider.id === provider && each.id === id)
      return target && { target, answer: answer as Answer }
    },
    /** Never rejects. */
    async store(key: string, { target, answer }: TargetAnswer<Target, unknown>, ttlMs: number): Promise<void> {
      const entry: Entry = { provider: target.provider.id, id: target.id, answer }
      try {
        await cache.set(key, cipher.seal(JSON.stringify(entry), key), ttlMs)
      } catch {
        // The response is returned without being cached.
      }
    },
  }
}
