import type { Provider, ProviderCall, TextEvent } from '@fairlead/core/provider'
import { textModel } from '@fairlead/core/testing'

/** A provider whose stream a test controls: it sends events, ends, or fails when the test says so. */
export interface ManualProvider extends Provider {
  readonly calls: readonly ProviderCall[]
  send(text: string): void
  finish(): void
  fail(error: Error): void
  /** Whether the latest stream ended or was closed. */
  readonly closed: boolean
}

export function manualProvider(): ManualProvider {
  const calls: ProviderCall[] = []
  const events: (TextEvent | Error)[] = []
  let wake = () => {}
  let closed = false
  const push = (event: TextEvent | Error) => {
    events.push(event)
    wake()
  }
  return {
    contract: 1,
    id: 'manual',
    models: [textModel({ streaming: true, maxTokens: 250_000 })],
    calls,
    send: (text) => push({ type: 'text', text }),
    finish: () => push({ type: 'finish', finishReason: 'stop', usage: { promptTokens: 1, completionTokens: 1 } }),
    fail: (error) => push(error),
    get closed() {
      return closed
    },
    async *streamText(_request, call) {
      calls.push(call)
      call.signal.addEventListener('abort', () => wake())
      try {
        while (!call.signal.aborted) {
          const event = events.shift()
          if (event instanceof Error) throw event
          if (event) yield event
          else await new Promise<void>((resolve) => (wake = resolve))
        }
      } finally {
        closed = true
      }
    },
  }
}
