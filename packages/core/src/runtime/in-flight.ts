import type { Clock } from './clock.ts'

/** Knows whether anything is still being worked on, so that stores are not closed under it. */
export interface InFlight {
  /** Called when a piece of work begins; what it returns, when that piece has ended, once or more often. */
  begin(): () => void
  /** Resolves when all has ended, or after that long. */
  idle(patienceMs: number): Promise<void>
}

export function createInFlight(clock: Clock): InFlight {
  const pieces = new Set<symbol>()
  const waiting = new Set<() => void>()
  return {
    begin() {
      const piece = Symbol('work')
      pieces.add(piece)
      return () => {
        pieces.delete(piece)
        if (pieces.size === 0) for (const tell of waiting) tell()
      }
    },
    async idle(patienceMs) {
      if (pieces.size === 0) return
      await new Promise<void>((resolve) => {
        const cancel = clock.schedule(patienceMs, resolve)
        waiting.add(() => {
          cancel()
          resolve()
        })
      })
    },
  }
}
