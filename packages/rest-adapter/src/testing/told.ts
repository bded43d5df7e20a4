import type { Provider, ProviderCall, TextEvent } from '@fairlead/core/provider'
import { textModel } from '@fairlead/core/testing'

/** Streams what it is told, when it is told. */
export interface Told extends Provider {
  readonly calls: readonly ProviderCall[]
  say(text: string): void
  finish(): void
  fail(error: Error): void
  /** Whether the latest stream was let go of. */
  readonly left: boolean
}

export function told(): Told {
  const calls: ProviderCall[] = []
  const events: (TextEvent | Error)[] = []
  let wake = () => {}
  let left = false
  const push = (event: TextEvent | Error) => {
    events.push(event)
    wake()
  }
  return {
    contract: 1,
    id: 'told',
    models: [textModel({ streaming: true, maxTokens: 250_000 })],
    calls,
    say: (text) => push({ type: 'text', text }),
    finish: () => push({ type: 'finish', finishReason: 'stop', usage: { promptTokens: 1, completionTokens: 1 } }),
    fail: (error) => push(error),
    get left() {
      return left
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
        left = true
      }
    },
  }
}
