import {
  type JsonObject,
  parseJson,
  ProviderError,
  readToolInput,
  type TextEvent,
  type ToolCallPart,
} from '@fairlead/core/provider'
import { newCallId } from '@fairlead/provider-toolkit'
import * as z from 'zod'
import { askedName, type Reading } from './finish.ts'
import { countIn, objectIn, textIn, without } from './sent-values.ts'

/** The part of a tool call that a message or a chunk has. Servers leave out its index, its id, or both. */
export const toolCallDelta = z.object({
  // The arguments are a JSON text. Some servers send the object.
  function: z.object({ arguments: z.union([z.string(), z.record(z.string(), z.unknown())]).nullish() }).nullish(),
  // A tool whose input is text of any form.
  custom: z.object({ input: z.string().nullish() }).nullish(),
})

export type ToolCallDelta = z.input<typeof toolCallDelta>
type CallData = Pick<ToolCallPart, 'providerOptions' | 'native'>

/** The tool calls of a whole message. Those without a name are left out if the answer was cut off. */
export function toToolCalls(
  deltas: readonly ToolCallDelta[],
  reading: Reading,
  isCutOff: boolean,
): readonly ToolCallPart[] {
  return deltas.flatMap((delta): readonly ToolCallPart[] => {
    const name = readName(delta, reading)
    if (name) {
      const input = readToolInput(readInput(delta))
      const data = emptyInput(delta, reading) ?? readData(delta, reading)
      return [{ type: 'tool_call', id: readId(delta) ?? newCallId(), name, ...input, ...data }]
    }
    if (isCutOff) return []
    throw new ProviderError('retry', 'a tool call has no name')
  })
}

interface OpenCall {
  readonly sentIndex: number | undefined
  /** As the server sent it. */
  sentId: string | undefined
  readonly id: string
  name: string
  /** Its index in the answer, once it has a name. */
  part: number
  /** All of the input that has arrived. */
  input: string
  /** The data that arrived after the start. */
  data: CallData | undefined
}

/** The tool calls of a stream, whose pieces arrive one by one. */
export class ToolCallStream {
  readonly #calls: OpenCall[] = []
  readonly #reading: Reading

  constructor(reading: Reading) {
    this.#reading = reading
  }

  /**
   * The events of a piece. There are none while the name of the call is not known.
   *
   * @param nextPart takes the index of a part that starts
   */
  add(delta: ToolCallDelta, nextPart: () => number): readonly TextEvent[] {
    const call = this.#find(delta) ?? this.#open(delta)
    call.sentId ??= readId(delta)
    const data = readData(delta, this.#reading)
    const piece = readInput(delta)
    call.input += piece
    if (call.name !== '') {
      call.data = data ? { ...call.data, ...data } : call.data
      return piece === '' ? [] : [{ type: 'part_delta', index: call.part, text: piece }]
    }
    call.name = readName(delta, this.#reading) ?? ''
    if (call.name === '') return []
    // Input that came before the name is sent with it.
    const text = call.input
    call.part = nextPart()
    const part = { type: 'tool_call', id: call.id, name: call.name, inputText: '', ...data } as const
    const start: TextEvent = { type: 'part_start', index: call.part, part }
    return text === '' ? [start] : [start, { type: 'part_delta', index: call.part, text }]
  }

  /** The ends of all calls. Throws if one has no name, unless the answer was cut off. */
  end(isCutOff: boolean): readonly TextEvent[] {
    const named = this.#calls.filter((call) => call.name !== '')
    if (named.length < this.#calls.length && !isCutOff) throw new ProviderError('retry', 'a tool call has no name')
    return named.map(({ part, data }) => ({ type: 'part_end', index: part, ...data }))
  }

  /** Whether the input of a call is cut off, or no JSON for another reason. */
  hasUnreadable(): boolean {
    return this.#calls.some(({ input }) => readToolInput(input).input === undefined)
  }

  /** The call that a delta continues. */
  #find(delta: ToolCallDelta): OpenCall | undefined {
    const index = readIndex(delta)
    const id = readId(delta)
    if (index !== undefined) {
      const call = this.#calls.findLast((each) => each.sentIndex === index)
      return call && id && call.sentId && call.sentId !== id && this.#startsAnother(delta, call) ? undefined : call
    }
    const last = this.#calls.at(-1)
    if (id)
      return this.#calls.find(({ sentId }) => sentId === id) ?? (readName(delta, this.#reading) ? undefined : last)
    // Without index and id, each call comes in one piece.
    return readName(delta, this.#reading) && last?.name ? undefined : last
  }

  /**
   * Whether a piece with the index of a call and another id is of another call: Google's server numbers every call of
   * an answer 0, and others give each piece of a call a new id.
   */
  #startsAnother(delta: ToolCallDelta, call: OpenCall): boolean {
    const name = readName(delta, this.#reading)
    if (!name || call.name === '') return false
    return name !== call.name || (readInput(delta) !== '' && parseJson(call.input) !== undefined)
  }

  #open(delta: ToolCallDelta): OpenCall {
    const sentId = readId(delta)
    const id = sentId ?? newCallId()
    const call = { sentIndex: readIndex(delta), sentId, id, name: '', part: -1, input: '', data: undefined }
    this.#calls.push(call)
    return call
  }
}

function readIndex({ index }: JsonObject): number | undefined {
  return countIn(index)
}

function readId({ id }: JsonObject): string | undefined {
  return textIn(id) || undefined
}

function readName({ function: called, custom }: JsonObject, reading: Reading): string | undefined {
  const name = textIn(objectIn(called)?.['name']) ?? textIn(objectIn(custom)?.['name'])
  return name === undefined ? undefined : askedName(name, reading)
}

function readInput({ function: called, custom }: ToolCallDelta): string {
  const given = called?.arguments ?? custom?.input ?? ''
  return typeof given === 'string' ? given : JSON.stringify(given)
}

/** Of a function that is called without input, if the server wrote nothing: clients of the API get that, and core an object. */
function emptyInput(delta: JsonObject, reading: Reading): CallData | undefined {
  const { native } = reading
  const called = objectIn(delta['function'])
  if (!native || called?.['arguments'] !== '') return undefined
  const data = readData(delta, reading)
  return { ...data, native: { [native]: { ...data?.native?.[native], function: called } } }
}

const interpreted = ['index', 'id', 'type', 'function', 'custom', 'extra_content']

/** The data that the server needs back, and the data that only clients of the API understand. */
function readData(delta: JsonObject, { provider, native }: Reading): CallData | undefined {
  // Google's, with the signature of the model's thoughts.
  const extra_content = objectIn(delta['extra_content'])
  const type = textIn(delta['type'])
  const others: JsonObject = native
    ? { ...(type && type !== 'function' && { type }), ...without(delta, interpreted) }
    : {}
  const hasOthers = Object.keys(others).length > 0
  if (!extra_content && !hasOthers) return undefined
  return {
    ...(extra_content && { providerOptions: { [provider]: { extra_content } } }),
    ...(native && hasOthers && { native: { [native]: others } }),
  }
}
