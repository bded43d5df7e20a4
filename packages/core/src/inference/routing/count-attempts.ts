import type { RoutedCall } from '../routed-call.ts'

/** Who was asked last, and how many attempts there were. */
export type Attempts = Parameters<RoutedCall['note']>[0]

/** Routed calls one after the other that count as one: their attempts add up. */
export interface CountedAttempts {
  next(): RoutedCall
  /** Who was asked last, and how many attempts there were in all. */
  facts(): Attempts
}

export function countAttempts(call: RoutedCall): CountedAttempts {
  let facts: Attempts = { provider: '', attempts: 0 }
  return {
    facts: () => facts,
    next() {
      return {
        ...call,
        attemptsBefore: facts.attempts,
        note(latest) {
          facts = latest
          call.note(latest)
        },
      }
    },
  }
}
