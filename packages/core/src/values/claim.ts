/** What stands under an Idempotency-Key: first that a request runs, then what it came to. */
export interface Claim {
  /** Made of caller, operation and key, none of which can be told from it. */
  readonly id: string
  /** What was asked, hashed and sealed: it may have been a password. */
  readonly fingerprint: string
  /** The run that holds it: nobody else may end it. */
  readonly owner: string
  /** Until when the run holds it, unless it is renewed; in milliseconds since the epoch. */
  readonly leaseUntil: number
  /** When it was claimed or last renewed, or its outcome kept. */
  readonly at: number
  /** What the run came to, sealed; null while it runs. */
  readonly outcome: string | null
}
