import type { AnswerPart, ProviderOptions } from './message.ts'
import type { PartEvent } from './provider.ts'
import { readToolInput } from './tool-input.ts'

/** The whole answer of a stream so far. */
export interface AnswerParts {
  add(event: PartEvent): void
  /** All text. */
  content(): string
  /** The parts in their order; undefined if the answer is one text. */
  parts(): readonly AnswerPart[] | undefined
}

type OpenPart =
  | { readonly type: 'text' | 'reasoning' | 'refusal'; text: string; providerOptions?: ProviderOptions }
  | {
      readonly type: 'tool_call'
      readonly id: string
      readonly name: string
      json: string
      providerOptions?: ProviderOptions
    }

export function answerParts(): AnswerParts {
  const open: OpenPart[] = []
  const calls = new Map<string, Extract<OpenPart, { type: 'tool_call' }>>()

  function partFor(event: PartEvent): OpenPart {
    if (event.type === 'tool_call') {
      const known = calls.get(event.id)
      if (known) return known
      const call = { type: event.type, id: event.id, name: event.name, json: '' }
      calls.set(event.id, call)
      open.push(call)
      return call
    }
    const last = open.at(-1)
    if (last?.type === event.type && !last.providerOptions) return last
    const part = { type: event.type, text: '' }
    open.push(part)
    return part
  }

  return {
    add(event) {
      const part = partFor(event)
      if (part.type === 'tool_call') part.json += event.type === 'tool_call' ? event.inputDelta : ''
      else part.text += event.type === 'tool_call' ? '' : event.text
      if (event.providerOptions) part.providerOptions = { ...part.providerOptions, ...event.providerOptions }
    },
    content: () => open.map((part) => (part.type === 'text' ? part.text : '')).join(''),
    parts() {
      if (open.every(({ type, providerOptions }) => type === 'text' && !providerOptions)) return undefined
      return open.flatMap((part): AnswerPart[] => {
        if (part.type === 'tool_call') {
          const { json, ...call } = part
          return [{ ...call, ...readToolInput(json) }]
        }
        return part.text === '' && !part.providerOptions ? [] : [part]
      })
    },
  }
}

/** A whole answer as events. */
export function eventsOf({
  content,
  parts,
}: {
  readonly content: string
  readonly parts?: readonly AnswerPart[] | undefined
}): readonly PartEvent[] {
  if (!parts) return [{ type: 'text', text: content }]
  return parts.map((part) => {
    if (part.type !== 'tool_call') return part
    const { input, inputText = JSON.stringify(input), ...call } = part
    return { ...call, inputDelta: inputText }
  })
}
