import type { AnswerPart, ProviderOptions } from './message.ts'
import { ProviderError } from './provider-error.ts'
import type { PartEvent } from './provider.ts'

/** The whole answer of a stream so far. */
export interface AnswerParts {
  add(event: PartEvent): void
  /** All text. */
  content(): string
  /**
   * The parts in their order; undefined if the answer is one text. A tool call whose input is not a JSON object is left out
   * if the answer was cut off, and otherwise throws a `ProviderError`.
   */
  parts(isCutOff: boolean): readonly AnswerPart[] | undefined
}

type OpenPart =
  | { readonly type: 'text' | 'reasoning'; text: string; providerOptions?: ProviderOptions }
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
    parts(isCutOff) {
      if (open.every(({ type, providerOptions }) => type === 'text' && !providerOptions)) return undefined
      return open.flatMap((part): AnswerPart[] => {
        if (part.type === 'tool_call') {
          const { json, ...call } = part
          const input = parseInput(json)
          if (input) return [{ ...call, input }]
          if (isCutOff) return []
          throw new ProviderError('retry', `the input of the tool call "${call.name}" is not a JSON object`)
        }
        return part.text === '' && !part.providerOptions ? [] : [part]
      })
    },
  }
}

/** A model that calls a tool without input may write nothing at all. */
function parseInput(json: string): Readonly<Record<string, unknown>> | undefined {
  if (json.trim() === '') return {}
  try {
    const input: unknown = JSON.parse(json)
    return typeof input === 'object' && input !== null && !Array.isArray(input) ? { ...input } : undefined
  } catch {
    return undefined
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
    const { input, ...call } = part
    return { ...call, inputDelta: JSON.stringify(input) }
  })
}
