import type { ProviderOptions, TextEvent } from '@fairlead/core/provider'

interface TextPiece {
  readonly type: 'text' | 'reasoning' | 'refusal'
  readonly text: string
  readonly providerOptions?: ProviderOptions
}

interface CallPiece {
  readonly type: 'tool_call'
  readonly id: string
  readonly name: string
  readonly inputDelta: string
  readonly providerOptions?: ProviderOptions
}

/** A piece of a streamed answer in short, or an event of the stream. */
export type Piece = TextPiece | CallPiece | TextEvent

/**
 * The events of a stream. Pieces of one type that follow each other are one part, which data of the provider ends, and
 * pieces of one tool call are one part, which a text or the finish ends.
 */
export function toEvents(pieces: readonly Piece[]): readonly TextEvent[] {
  const events: TextEvent[] = []
  const calls = new Map<string, number>()
  let open: TextPiece['type'] | undefined
  let index = -1
  const endText = (data: object = {}) => {
    if (open !== undefined) events.push({ type: 'part_end', index, ...data })
    open = undefined
  }
  const endCalls = () => {
    for (const at of calls.values()) events.push({ type: 'part_end', index: at })
    calls.clear()
  }
  for (const piece of pieces) {
    if (piece.type === 'tool_call') {
      const { id, name, inputDelta: text, providerOptions } = piece
      if (!calls.has(id)) {
        endText()
        index += 1
        calls.set(id, index)
        const part = {
          type: 'tool_call',
          id,
          name,
          inputText: '',
          ...(providerOptions && { providerOptions }),
        } as const
        events.push({ type: 'part_start', index, part })
      }
      if (text !== '') events.push({ type: 'part_delta', index: calls.get(id)!, text })
    } else if (piece.type === 'text' || piece.type === 'reasoning' || piece.type === 'refusal') {
      const { type, text, providerOptions } = piece
      if (open !== type) {
        endText()
        endCalls()
        index += 1
        open = type
        events.push({ type: 'part_start', index, part: { type, text: '' } })
      }
      events.push({ type: 'part_delta', index, text })
      if (providerOptions) endText({ providerOptions })
    } else {
      endText()
      endCalls()
      events.push(piece as TextEvent)
    }
  }
  return events
}
