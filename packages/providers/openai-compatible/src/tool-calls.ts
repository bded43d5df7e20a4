import { randomUUID } from 'node:crypto'
import { ProviderError, readToolInput, type TextEvent, type ToolCallPart } from '@fairlead/core/provider'
import { z } from 'zod'

/** The part of a tool call that a message or a chunk has. Servers leave out its index, its id, or both. */
export const toolCallDelta = z.object({
  index: z.int().nullish().catch(undefined),
  id: z.string().nullish().catch(undefined),
  function: z
    .object({
      name: z.string().nullish().catch(undefined),
      // A JSON text. Some servers send the object.
      arguments: z.union([z.string(), z.record(z.string(), z.unknown())]).nullish(),
    })
    .nullish(),
  // Google's, with the signature of the model's thoughts.
  extra_content: z.record(z.string(), z.unknown()).nullish().catch(undefined),
})

export type ToolCallDelta = z.output<typeof toolCallDelta>
type ToolCallEvent = Extract<TextEvent, { type: 'tool_call' }>

/** The tool calls of a whole message. Those without a name are left out if the answer was cut off. */
export function toToolCalls(
  deltas: readonly ToolCallDelta[],
  { provider, isCutOff }: { readonly provider: string; readonly isCutOff: boolean },
): readonly ToolCallPart[] {
  return deltas.flatMap((delta): readonly ToolCallPart[] => {
    const name = delta.function?.name
    if (name) {
      const input = readToolInput(argumentsOf(delta))
      return [{ type: 'tool_call', id: delta.id || newId(), name, ...input, ...extraOf(delta, provider) }]
    }
    if (isCutOff) return []
    throw new ProviderError('retry', 'a tool call has no name')
  })
}

interface OpenCall {
  readonly index: number | undefined
  /** As the server sent it. */
  sentId: string | undefined
  readonly id: string
  name: string
  /** Arguments that arrived before the name. */
  held: string
}

/** The tool calls of a stream, whose pieces arrive one by one. */
export interface ToolCallStream {
  /** @returns undefined while the name of the call is not known */
  add(delta: ToolCallDelta): ToolCallEvent | undefined
  /** How many calls there are. Throws if one has no name, unless the answer was cut off. */
  count(isCutOff: boolean): number
}

/** @param provider the id of the provider */
export function toolCallStream(provider: string): ToolCallStream {
  const calls: OpenCall[] = []

  /** The call that a delta continues. */
  function findCall({ index, id, function: called }: ToolCallDelta): OpenCall | undefined {
    if (typeof index === 'number') {
      const call = calls.findLast((each) => each.index === index)
      // Google's server numbers every call of an answer 0.
      return id && call?.sentId && call.sentId !== id ? undefined : call
    }
    if (id) return calls.find(({ sentId }) => sentId === id)
    const last = calls.at(-1)
    // Without index and id, each call comes in one piece.
    return called?.name && last?.name ? undefined : last
  }

  return {
    add(delta) {
      const known = findCall(delta)
      const call: OpenCall = known ?? {
        index: delta.index ?? undefined,
        sentId: delta.id || undefined,
        id: delta.id || newId(),
        name: '',
        held: '',
      }
      if (!known) calls.push(call)
      call.sentId ??= delta.id || undefined
      const wasNamed = call.name !== ''
      if (!wasNamed) call.name = delta.function?.name ?? ''
      const json = call.held + argumentsOf(delta)
      if (call.name === '') {
        call.held = json
        return undefined
      }
      call.held = ''
      const extra = extraOf(delta, provider)
      if (wasNamed && json === '' && !extra) return undefined
      return { type: 'tool_call', id: call.id, name: call.name, inputDelta: json, ...extra }
    },
    count(isCutOff) {
      const named = calls.filter(({ name }) => name !== '')
      if (named.length < calls.length && !isCutOff) throw new ProviderError('retry', 'a tool call has no name')
      return named.length
    },
  }
}

function argumentsOf({ function: called }: ToolCallDelta): string {
  const given = called?.arguments ?? ''
  return typeof given === 'string' ? given : JSON.stringify(given)
}

function extraOf(
  { extra_content }: ToolCallDelta,
  provider: string,
): Pick<ToolCallPart, 'providerOptions'> | undefined {
  return extra_content ? { providerOptions: { [provider]: { extra_content } } } : undefined
}

/** An id for a call whose server gave it none. It must be unique within the conversation. */
export function newId(): string {
  return `call_${randomUUID().replaceAll('-', '')}`
}
