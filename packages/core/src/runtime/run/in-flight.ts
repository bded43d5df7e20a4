import type { Clock } from '../clock.ts'

/** Counts the runs in progress, so that what they use is closed only after them. */
export class InFlight {
  readonly #clock: Clock
  readonly #waiting = new Set<() => void>()
  #running = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get count(): number {
    return this.#running
  }

  begin(): void {
    this.#running++
  }

  end(): void {
    this.#running--
    if (this.#running === 0) for (const resolve of this.#waiting) resolve()
  }

  /** Resolves when no run is in progress, or after `timeoutMs` milliseconds. Default: without a limit. */
  async idle(timeoutMs?: number): Promise<void> {
    if (this.#running === 0) return
    await new Promise<void>((resolve) => {
      const cancel = timeoutMs === undefined ? undefined : this.#clock.schedule(timeoutMs, resolve)
      this.#waiting.add(() => {
        cancel?.()
        resolve()
      })
    })
  }
}
