import type { Cipher } from '../../runtime/keyring.ts'
import type { Route, Target } from '../routing/route.ts'

/**
 * Keeps texts for a while, if it can: what was kept may be gone at any time, and nothing may break because it is.
 *
 * Requests wait for `get`, so that it settles within a fraction of a second whatever has become of what is behind it. A
 * cache that is away answers undefined, and says so in its own log, once; what rejects all the same counts as that.
 */
export interface Cache {
  get(key: string): Promise<string | undefined>
  /** Settles when the text is kept, or can't be. */
  set(key: string, text: string, ttlMs: number): Promise<void>
  /** Lets go of connections; nothing is called afterwards. */
  close?(): Promise<void>
}

/** An answer, and who gave it. */
export interface Answered<At extends Target, Answer> {
  readonly target: At
  readonly answer: Answer
}

/** Answers in a cache that others may read: sealed, under names that tell nothing of the question. */
export interface CachedAnswers {
  /** What the answer to a question is kept as. It begins with the account, as the house knows it. */
  name<At extends Target>(question: Question<At>): string
  find<At extends Target, Answer>(name: string, route: Route<At>): Promise<Answered<At, Answer> | undefined>
  /** Never rejects. */
  keep<At extends Target>(name: string, answered: Answered<At, unknown>, ttlMs: number): Promise<void>
}

/** All that an answer depends on. */
export interface Question<At extends Target, Request = unknown> {
  /** Whose question it is: answers are never shared between accounts. */
  readonly account: string
  readonly operation: string
  readonly route: Route<At>
  readonly request: Request
  /** Whether an answer may be one that was given before, or be given again. */
  readonly repeatable: boolean
}

export interface CachedAnswersOptions {
  readonly cache: Cache
  readonly cipher: Cipher
  /** A code for a text that nobody else can make, so that no prompt can be guessed from a name. */
  readonly mac: (text: string) => Uint8Array
}

/** Counts up when what is kept changes its shape. */
const format = 1

interface Kept {
  readonly provider: string
  readonly id: string
  readonly answer: unknown
}

export function cachedAnswers({ cache, cipher, mac }: CachedAnswersOptions): CachedAnswers {
  /** Whatever a cache does that is not ours, a request goes on as after a miss. */
  async function lookUp(name: string): Promise<unknown> {
    try {
      return await cache.get(name)
    } catch {
      return undefined
    }
  }

  return {
    name({ account, operation, route: { targets }, request }) {
      const places = targets.map(({ provider, id }) => [provider.id, id])
      const code = mac(JSON.stringify([format, account, operation, places, request]))
      return `${account}:${Buffer.from(code).toString('base64url')}`
    },
    async find<At extends Target, Answer>(name: string, { targets }: Route<At>) {
      const sealed = await lookUp(name)
      const text = typeof sealed === 'string' ? cipher.open(sealed, name) : undefined
      if (text === undefined) return undefined
      const { provider, id, answer } = JSON.parse(text) as Kept
      const target = targets.find((each) => each.provider.id === provider && each.id === id)
      return target && { target, answer: answer as Answer }
    },
    async keep(name, { target, answer }, ttlMs) {
      const kept: Kept = { provider: target.provider.id, id: target.id, answer }
      try {
        await cache.set(name, cipher.seal(JSON.stringify(kept), name), ttlMs)
      } catch {
        // The answer is given all the same.
      }
    },
  }
}
