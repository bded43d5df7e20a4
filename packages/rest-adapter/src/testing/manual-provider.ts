import { type Provider, type ProviderCall, textEvents } from '@fairlead/core/provider'
import { fakeTextModel } from '@fairlead/testing'

/** A provider whose stream a test controls: it sends pieces, ends, or fails when the test says so. */
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
  /** The next pieces of the stream. An empty piece is its end. */
  const pieces: (string | Error)[] = []
  let wake = () => {}
  let closed = false
  const push = (piece: string | Error) => {
    pieces.push(piece)
    wake()
  }
  async function* read({ signal }: ProviderCall) {
    signal.addEventListener('abort', () => wake())
    try {
      while (!signal.aborted) {
        const piece = pieces.shift()
        if (piece instanceof Error) throw piece
        if (piece === '') return
        if (piece) yield piece
        else await new Promise<void>((resolve) => (wake = resolve))
      }
    } finally {
      closed = true
    }
  }
  return {
    contract: 2,
    id: 'manual',
    models: [fakeTextModel({ streaming: true, maxTokens: 250_000 })],
    calls,
    send: push,
    finish: () => push(''),
    fail: push,
    get closed() {
      return closed
    },
    streamText(_request, call) {
      calls.push(call)
      return textEvents(read(call), { usage: { promptTokens: 1, completionTokens: 1 } })
    },
  }
}
