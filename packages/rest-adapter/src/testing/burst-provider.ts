import { ended, PolledIterator, type Provider, type TextEvent } from '@fairlead/core/provider'
import { fakeTextModel } from '@fairlead/testing'

/** A provider whose pieces of text arrive when a test says so, several at once. */
export function burstProvider() {
  const bursts = new Bursts()
  const provider: Provider = {
    contract: 2,
    id: 'bursts',
    models: [fakeTextModel({ streaming: true, maxTokens: 250_000 })],
    streamText: () => bursts,
  }
  return { provider, bursts }
}

class Bursts extends PolledIterator<TextEvent> {
  /** How many events were taken. */
  taken = 0
  isClosed = false
  readonly #events: TextEvent[] = [{ type: 'part_start', index: 0, part: { type: 'text', text: '' } }]
  #wake = () => {}

  arrive(...texts: readonly string[]): void {
    this.#events.push(...texts.map((text) => ({ type: 'part_delta', index: 0, text }) as const))
    this.#wake()
  }

  finish(): void {
    this.#events.push({ type: 'part_end', index: 0 }, { type: 'finish', finishReason: 'stop' })
    this.#wake()
  }

  poll(): IteratorResult<TextEvent, undefined> | undefined {
    if (this.isClosed) return ended
    const value = this.#events[this.taken]
    if (!value) return undefined
    this.taken++
    return { done: false, value }
  }

  ready(): Promise<void> {
    return new Promise((resolve) => (this.#wake = resolve))
  }

  async return(): Promise<IteratorResult<TextEvent, undefined>> {
    this.isClosed = true
    this.#wake()
    return ended
  }
}
