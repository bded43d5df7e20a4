import type { AnswerPart, ProviderOptions } from '@fairlead/core/provider'
import type { Failure } from '@fairlead/core'
import type { Generation, GenerationChunk } from '@fairlead/core/types'
import { eventText, type ResultEvent } from '@fairlead/http'
import { toErrorBody } from './errors.ts'
import {
  endOf,
  itemId,
  type OutputItem,
  refusalPart,
  summaryPart,
  textIn,
  textPart,
  toCallItem,
  toHead,
  toItem,
  toUsage,
} from './responses-reply.ts'
import { toItemOptions } from './responses-data.ts'
import type { ResponseForm } from './responses-request.ts'
import type { ToolName } from './responses-tools.ts'

interface Open {
  readonly id: string
  readonly index: number
  options?: ProviderOptions
}

interface OpenText extends Open {
  readonly type: 'text' | 'reasoning' | 'refusal'
  /** Where it is, as members of a JSON object. */
  readonly place: string
  text: string
}

interface OpenCall extends Open {
  readonly callId: string
  readonly tool: ToolName
  json: string
  isClosed: boolean
}

/** The events of one streamed response. A response that fails ends with an error, and is not completed. */
export function responsesEvents(form: ResponseForm, requestId: string, at: number) {
  const head = toHead(form, { requestId, created: Math.floor(at / 1000), model: form.model })
  const output: OutputItem[] = []
  const calls = new Map<string, OpenCall>()
  let open: OpenText | undefined
  let items = 0
  let sent = ''
  let sequence = 0

  function send(type: string, fields: object): void {
    sent += eventText(JSON.stringify({ type, sequence_number: sequence, ...fields }), type)
    sequence += 1
  }

  /** What nearly all events are. */
  function sendDelta({ type, place }: OpenText, delta: string): void {
    const name = deltas[type]
    const logprobs = type === 'text' ? ',"logprobs":[]' : ''
    sent += `event: ${name}\ndata: {"type":"${name}","sequence_number":${sequence},${place},"delta":${JSON.stringify(delta)}${logprobs}}\n\n`
    sequence += 1
  }

  function begin(): void {
    send('response.created', { response: head })
    send('response.in_progress', { response: head })
  }

  function nextItem(type: AnswerPart['type']): Open {
    const index = items
    items += 1
    return { id: itemId(type, requestId, index), index }
  }

  function finishItem(index: number, item: OutputItem): void {
    output[index] = item
    send('response.output_item.done', { output_index: index, item })
  }

  function openText(type: OpenText['type']): OpenText {
    if (open?.type === type) return open
    closeText()
    closeCalls(isComplete)
    const { id, index } = nextItem(type)
    open = { id, index, type, place: JSON.stringify(placeOf({ type, id, index })).slice(1, -1), text: '' }
    const item =
      type === 'reasoning'
        ? { id, type: 'reasoning', status: 'in_progress', summary: [] }
        : { id, type: 'message', status: 'in_progress', role: 'assistant', content: [] }
    send('response.output_item.added', { output_index: index, item })
    if (type !== 'reasoning') send('response.content_part.added', { ...placeOf(open), part: partOf(type, '') })
    return open
  }

  function addText(type: OpenText['type'], delta: string, options: ProviderOptions | undefined): void {
    if (delta === '' && !options) return
    const item = openText(type)
    const place = placeOf(item)
    if (type === 'reasoning' && item.text === '' && delta !== '') {
      send('response.reasoning_summary_part.added', { ...place, part: summaryPart('') })
    }
    item.text += delta
    if (delta !== '') sendDelta(item, delta)
    if (!options) return
    item.options = options
    closeText()
  }

  /** @param status of a text */
  function closeText(status = 'completed'): void {
    if (!open) return
    const { type, text, options, id, index } = open
    const place = placeOf(open)
    if (type === 'text') {
      send('response.output_text.done', { ...place, text, logprobs: [] })
      send('response.content_part.done', { ...place, part: partOf(type, text) })
    } else if (type === 'refusal') {
      send('response.refusal.done', { ...place, refusal: text })
      send('response.content_part.done', { ...place, part: partOf(type, text) })
    } else if (text !== '') {
      send('response.reasoning_summary_text.done', { ...place, text })
      send('response.reasoning_summary_part.done', { ...place, part: summaryPart(text) })
    }
    finishItem(index, toItem({ type, text, ...(options && { providerOptions: options }) }, id, form, status))
    open = undefined
  }

  function callFor({ id: callId, name }: NonNullable<GenerationChunk['toolCall']>): OpenCall {
    const known = calls.get(callId)
    if (known) return known
    closeText()
    const tool = form.toolNames.get(name) ?? { name, isCustom: false }
    const call = { ...nextItem('tool_call'), callId, tool, json: '', isClosed: false }
    calls.set(callId, call)
    const item = toCallItem(tool, '', { id: call.id, call_id: callId, status: 'in_progress' })
    send('response.output_item.added', { output_index: call.index, item })
    return call
  }

  function addCall(toolCall: NonNullable<GenerationChunk['toolCall']>, options: ProviderOptions | undefined): void {
    const call = callFor(toolCall)
    if (options) call.options = { ...call.options, ...options }
    call.json += toolCall.inputDelta
    if (toolCall.inputDelta === '' || call.tool.isCustom) return
    const place = { item_id: call.id, output_index: call.index }
    send('response.function_call_arguments.delta', { ...place, delta: toolCall.inputDelta })
  }

  /** Closes the calls whose input is whole. The others go on, or were cut off. */
  function closeCalls(isWhole: (json: string) => boolean): void {
    for (const call of calls.values()) {
      if (call.isClosed || !isWhole(call.json)) continue
      call.isClosed = true
      closeCall(call)
    }
  }

  function closeCall({ callId, tool, json, id, index, options }: OpenCall): void {
    const place = { item_id: id, output_index: index }
    // Clients parse the arguments, also those of a call without input.
    const input = json.trim() === '' ? '{}' : json
    if (tool.isCustom) {
      const text = textIn(input)
      send('response.custom_tool_call_input.delta', { ...place, delta: text })
      send('response.custom_tool_call_input.done', { ...place, input: text })
    } else {
      if (input !== json) send('response.function_call_arguments.delta', { ...place, delta: input })
      send('response.function_call_arguments.done', { ...place, name: tool.name, arguments: input })
    }
    const facts = { id, call_id: callId, status: 'completed', ...toItemOptions(options) }
    finishItem(index, toCallItem(tool, input, facts))
  }

  function end(data: Generation): void {
    if (items === 0) openText('text')
    const { status, ...details } = endOf(data)
    closeText(status)
    closeCalls((json) => status === 'completed' || json.trim() === '' || isComplete(json))
    const { model, usage } = data
    // A call that was cut off has no item.
    const response = { ...head, ...details, status, model, output: output.filter(Boolean), usage: toUsage(usage) }
    send(`response.${status}`, { response })
  }

  function fail(failure: Failure): void {
    const { error } = toErrorBody(failure)
    send('error', { error })
    const { code, type, message } = error
    send('response.failed', { response: { ...head, status: 'failed', error: { code: code ?? type, message } } })
  }

  return (event: ResultEvent): string => {
    sent = ''
    if (sequence === 0) begin()
    if (event.type === 'done') end(event.reply.data as Generation)
    else if (event.type === 'error') fail(event.reply)
    else {
      const { content, reasoning, refusal, toolCall, providerOptions } = event.chunk as GenerationChunk
      if (toolCall) addCall(toolCall, providerOptions)
      else if (refusal !== undefined) addText('refusal', refusal, providerOptions)
      else if (reasoning === undefined) addText('text', content, providerOptions)
      else addText('reasoning', reasoning, providerOptions)
    }
    return sent
  }
}

const deltas = {
  text: 'response.output_text.delta',
  refusal: 'response.refusal.delta',
  reasoning: 'response.reasoning_summary_text.delta',
} as const

function partOf(type: 'text' | 'refusal', text: string): object {
  return type === 'text' ? textPart(text) : refusalPart(text)
}

/** Each item has one part. */
function placeOf({ type, id, index }: Pick<OpenText, 'type' | 'id' | 'index'>) {
  return { item_id: id, output_index: index, [type === 'reasoning' ? 'summary_index' : 'content_index']: 0 }
}

function isComplete(json: string): boolean {
  try {
    JSON.parse(json)
    return true
  } catch {
    return false
  }
}
