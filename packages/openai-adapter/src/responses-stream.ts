import type { Failure } from '@fairlead/core'
import type {
  AnswerPart,
  Citation,
  JsonObject,
  ProviderOptions,
  ResponseFacts,
  TextAnswer,
  TextDelta,
} from '@fairlead/core/provider'
import { AnswerWriter, eventText, type PartEnd } from '@fairlead/http'
import { toErrorBody } from './errors.ts'
import {
  endOf,
  itemId,
  type OutputItem,
  ownItem,
  refusalPart,
  type ShownPart,
  summaryPart,
  textIn,
  textPart,
  toAnnotation,
  toCallItem,
  toHead,
  toItem,
  toUsage,
} from './responses-reply.ts'
import type { ResponseForm } from './responses-request.ts'
import type { ToolName } from './responses-tools.ts'

/** An output item that has begun. */
interface OpenItem {
  readonly part: AnswerPart
  readonly id: string
  readonly outputIndex: number
  /** Of a text: its place in the content of the item. */
  contentIndex: number
  /** The item as OpenAI wrote it; undefined if it is written here. */
  own: OutputItem | undefined
  /** Of a tool call. */
  readonly tool: ToolName | undefined
  text: string
  citations: readonly Citation[]
  options: ProviderOptions | undefined
  /** Whether the start of its content was sent, and its end. */
  hasContent: boolean
  hasEnd: boolean
}

/** Writes the events of one streamed response. A response that fails ends with an error, and is not completed. */
export class ResponseWriter extends AnswerWriter<OpenItem> {
  readonly #form: ResponseForm
  readonly #requestId: string
  readonly #output: OutputItem[] = []
  #head: JsonObject
  /** The text that ended last: whether it is complete is known with the next part, or at the end. */
  #ended: OpenItem | undefined
  /** Calls that ended without JSON. Those of an answer that was cut off have no item. */
  #unsure: OpenItem[] = []
  #last: OpenItem | undefined
  #items = 0
  #sequence = 0

  constructor(form: ResponseForm, requestId: string, created: number) {
    super()
    this.#form = form
    this.#requestId = requestId
    this.#head = toHead(form, { requestId, created, model: form.model })
  }

  #send(type: string, fields: object): void {
    this.text += eventText(JSON.stringify({ type, sequence_number: this.#sequence, ...fields }), type)
    this.#sequence += 1
  }

  /** An answer of OpenAI names itself. */
  protected start(response?: ResponseFacts): void {
    if (this.#sequence > 0) return
    const own = response?.native?.['openai-responses']
    if (own) this.#head = { ...this.#head, ...own, status: 'in_progress', output: [], usage: null }
    this.#send('response.created', { response: this.#head })
    this.#send('response.in_progress', { response: this.#head })
  }

  protected startPart(part: AnswerPart): OpenItem | undefined {
    this.start()
    this.#closeText()
    const own = ownItem(part)
    if (part.type === 'opaque' && !own) return undefined
    const last = this.#last
    // A message with several texts is one item.
    const isSame = own !== undefined && !('type' in own) && last !== undefined
    const outputIndex = isSame ? last.outputIndex : this.#items++
    const type = part.type === 'opaque' ? 'file' : part.type
    const open: OpenItem = {
      part,
      id: isSame ? last.id : String(own?.['id'] ?? itemId(type, this.#requestId, outputIndex)),
      outputIndex,
      contentIndex: isSame ? last.contentIndex + 1 : 0,
      own,
      tool: part.type === 'tool_call' ? this.#toolOf(part.name, own) : undefined,
      text: '',
      citations: part.type === 'text' ? (part.citations ?? []) : [],
      options: part.type === 'opaque' ? undefined : part.providerOptions,
      hasContent: false,
      hasEnd: false,
    }
    this.#last = open
    if (!isSame) this.#send('response.output_item.added', { output_index: outputIndex, item: addedItem(open) })
    // OpenAI says itself when the content of an item begins.
    if ('text' in part && (!own || part.text !== '')) this.#addText(open, part.text)
    return open
  }

  #toolOf(name: string, own: OutputItem | undefined): ToolName {
    if (own) return { name, isCustom: own['type'] === 'custom_tool_call' }
    return this.#form.toolNames.get(name) ?? { name, isCustom: false }
  }

  protected extend(open: OpenItem, { text = '', citation, data, logprobs }: TextDelta): void {
    if (data) {
      open.text += text
      this.#sendOwn(open, data)
      return
    }
    if (citation) this.#addCitation(open, citation)
    if (text !== '' || logprobs) this.#addText(open, text, logprobs)
  }

  /** An event of OpenAI that says more than a piece of text. */
  #sendOwn(open: OpenItem, { type, ...fields }: JsonObject): void {
    const name = String(type)
    if (name === 'response.content_part.added' || name === 'response.reasoning_summary_part.added')
      open.hasContent = true
    if (name.endsWith('.done')) open.hasEnd = true
    if (typeof fields['content_index'] === 'number') open.contentIndex = fields['content_index']
    this.#send(name, { ...fields, output_index: open.outputIndex })
  }

  #addText(open: OpenItem, delta: string, logprobs?: JsonObject): void {
    const { part, tool } = open
    const isText = part.type === 'text' || part.type === 'refusal'
    if (isText && !open.hasContent) {
      open.hasContent = true
      this.#send('response.content_part.added', { ...placeOf(open), part: contentPart(open) })
    }
    if (delta === '') return
    if (part.type === 'reasoning' && !open.hasContent) {
      open.hasContent = true
      this.#send('response.reasoning_summary_part.added', { ...placeOf(open), part: summaryPart('') })
    }
    open.text += delta
    if (isText || part.type === 'reasoning') {
      this.#send(deltas[part.type], {
        ...placeOf(open),
        delta,
        ...(part.type === 'text' && { logprobs: logprobs?.['content'] ?? [] }),
      })
    } else if (tool && (!tool.isCustom || open.own)) {
      const kind = tool.isCustom ? 'custom_tool_call_input' : 'function_call_arguments'
      this.#send(`response.${kind}.delta`, { item_id: open.id, output_index: open.outputIndex, delta })
    }
  }

  #addCitation(open: OpenItem, citation: Citation): void {
    if (open.part.type !== 'text') return
    this.#addText(open, '')
    const annotation = toAnnotation(citation)
    const place = { ...placeOf(open), annotation_index: open.citations.length }
    open.citations = [...open.citations, citation]
    this.#send('response.output_text.annotation.added', { ...place, annotation })
  }

  protected endPart(open: OpenItem, { providerOptions, native }: PartEnd): void {
    if (providerOptions) open.options = { ...open.options, ...providerOptions }
    open.own = native?.['openai-responses'] ?? open.own
    const { type } = open.part
    if (type === 'text' || type === 'refusal') this.#ended = open
    else if (type === 'tool_call' && !open.own && !isComplete(open.text)) this.#unsure.push(open)
    else this.#closeItem(open, 'completed')
  }

  /** @param status of a text */
  #closeText(status = 'completed'): void {
    const open = this.#ended
    this.#ended = undefined
    if (open) this.#closeItem(open, status)
  }

  #closeItem(open: OpenItem, status: string): void {
    const { part, own, outputIndex } = open
    if (!open.hasEnd) this.#endContent(open)
    // Another text of the item follows.
    if (own && !('type' in own)) return
    const item = own ?? (part.type === 'opaque' ? {} : toItem(wholePart(open, part), open.id, this.#form, status))
    this.#output[outputIndex] = item
    this.#send('response.output_item.done', { output_index: outputIndex, item })
  }

  #endContent(open: OpenItem): void {
    const { part, tool, text, hasContent } = open
    const place = placeOf(open)
    if (tool) {
      this.#endCall(open, tool)
    } else if (part.type === 'text' && (hasContent || !open.own)) {
      this.#addText(open, '')
      this.#send('response.output_text.done', { ...place, text, logprobs: [] })
      this.#send('response.content_part.done', { ...place, part: contentPart(open) })
    } else if (part.type === 'refusal') {
      this.#addText(open, '')
      this.#send('response.refusal.done', { ...place, refusal: text })
      this.#send('response.content_part.done', { ...place, part: contentPart(open) })
    } else if (part.type === 'reasoning' && text !== '') {
      this.#send('response.reasoning_summary_text.done', { ...place, text })
      this.#send('response.reasoning_summary_part.done', { ...place, part: summaryPart(text) })
    }
  }

  #endCall(open: OpenItem, tool: ToolName): void {
    const place = { item_id: open.id, output_index: open.outputIndex }
    if (tool.isCustom) {
      const input = open.own ? open.text : textIn(open.text)
      if (!open.own) this.#send('response.custom_tool_call_input.delta', { ...place, delta: input })
      this.#send('response.custom_tool_call_input.done', { ...place, input })
      return
    }
    // Clients parse the arguments, also those of a call without input.
    if (open.text.trim() === '') this.#addText(open, '{}')
    const json = open.text.trim() === '' ? '{}' : open.text
    this.#send('response.function_call_arguments.done', { ...place, name: tool.name, arguments: json })
  }

  protected finish(answer: TextAnswer): void {
    this.start()
    const { status, ...details } = endOf(answer)
    if (this.#items === 0) {
      this.#ended = this.startPart({ type: 'text', text: '' })
    }
    this.#closeText(status)
    for (const open of this.#unsure) if (status === 'completed') this.#closeItem(open, status)
    const own = answer.response?.native?.['openai-responses']
    // A call that was cut off has no item.
    const output = this.#output.filter(Boolean)
    const response = { ...this.#head, ...details, status, ...own, output, usage: toUsage(answer.usage) }
    this.#send(`response.${status}`, { response })
  }

  protected fail(failure: Failure): void {
    this.start()
    const { error } = toErrorBody(failure)
    this.#send('error', { error })
    const { code, type, message } = error
    this.#send('response.failed', {
      response: { ...this.#head, status: 'failed', error: { code: code ?? type, message } },
    })
  }
}

const deltas = {
  text: 'response.output_text.delta',
  refusal: 'response.refusal.delta',
  reasoning: 'response.reasoning_summary_text.delta',
} as const

function contentPart({ part, text, citations }: OpenItem): object {
  return part.type === 'refusal' ? refusalPart(text) : textPart(text, citations)
}

function wholePart({ text, citations, options }: OpenItem, part: ShownPart): ShownPart {
  const data = options && { providerOptions: options }
  if (part.type === 'file') return part
  if (part.type === 'tool_call') return { ...part, inputText: text.trim() === '' ? '{}' : text, ...data }
  return { ...part, text, ...(part.type === 'text' && { citations }), ...data }
}

/** The item before its content, also of an answer from the cache, whose parts come whole. */
function addedItem({ part, own, id, tool }: OpenItem): OutputItem {
  if (own) return part.type === 'text' || part.type === 'refusal' ? { ...own, status: 'in_progress', content: [] } : own
  if (tool && part.type === 'tool_call') return toCallItem(tool, '', { id, call_id: part.id, status: 'in_progress' })
  if (part.type === 'reasoning') return { id, type: 'reasoning', status: 'in_progress', summary: [] }
  if (part.type === 'file') return { id, type: 'image_generation_call', status: 'in_progress', result: null }
  return { id, type: 'message', status: 'in_progress', role: 'assistant', content: [] }
}

function placeOf({ part, id, outputIndex, contentIndex }: OpenItem): object {
  const place = part.type === 'reasoning' ? { summary_index: 0 } : { content_index: contentIndex }
  return { item_id: id, output_index: outputIndex, ...place }
}

function isComplete(json: string): boolean {
  if (json.trim() === '') return true
  try {
    JSON.parse(json)
    return true
  } catch {
    return false
  }
}
