/** The addition of one event to the answer. */
export interface Delta {
  readonly content: string
  readonly reasoning?: string
  readonly refusal?: string
  readonly tool_call?: { readonly id: string; readonly name: string; readonly input_delta: string }
}

/** A part of an answer as far as it has arrived. */
export type StreamedPart =
  | { readonly type: 'text' | 'reasoning' | 'refusal'; readonly text: string }
  | { readonly type: 'tool_call'; readonly id: string; readonly name: string; readonly inputText: string }

/** Adds an event to the parts of a stream. The inputs of several tool calls may arrive in turns. */
export function withDelta(parts: readonly StreamedPart[], delta: Delta): readonly StreamedPart[] {
  const { content, reasoning, refusal, tool_call: call } = delta
  if (call) {
    const { id, name, input_delta: input } = call
    const at = parts.findIndex((part) => part.type === 'tool_call' && part.id === id)
    const known = parts[at]
    if (known?.type !== 'tool_call') return [...parts, { type: 'tool_call', id, name, inputText: input }]
    return parts.with(at, { ...known, inputText: known.inputText + input })
  }
  const type = reasoning !== undefined ? 'reasoning' : refusal !== undefined ? 'refusal' : 'text'
  const text = reasoning ?? refusal ?? content
  const last = parts.at(-1)
  if (last?.type === type) return [...parts.slice(0, -1), { type, text: last.text + text }]
  return text === '' ? parts : [...parts, { type, text }]
}
