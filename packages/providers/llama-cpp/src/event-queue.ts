/** A queue between a producer that can't wait and a slow reader. */
export interface EventQueue<Event> {
  push(event: Event): void
  end(): void
  fail(error: unknown): void
  read(): AsyncGenerator<Event, void, undefined>
}

export function eventQueue<Event>(): EventQueue<Event> {
  const events: Event[] = []
  let outcome: { readonly error?: unknown } | undefined
  let wake = () => {}
  const settle = (how: { readonly error?: unknown }) => {
    outcome ??= how
    wake()
  }
  return {
    push(event) {
      events.push(event)
      wake()
    },
    end: () => settle({}),
    fail: (error) => settle({ error }),
    async *read() {
      while (true) {
        while (events.length > 0) yield events.shift()!
        if (outcome && 'error' in outcome) throw outcome.error
        if (outcome) return
        await new Promise<void>((resolve) => void (wake = resolve))
      }
    },
  }
}
