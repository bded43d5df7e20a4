import type { Failure } from '@fairlead/core'
import {
  type AnswerPart,
  type Citation,
  type JsonObject,
  type PartEnd,
  readToolInput,
  type ResponseFacts,
  type TextAnswer,
  type TextDelta,
} from '@fairlead/core/provider'
import { AnswerWriter, eventText, type NativeEvent } from '@fairlead/http'
import { textIn } from './custom-tools.ts'
import { toErrorBody } from './errors.ts'
import {
  contentPart,
  endedResponse,
  toEnd,
  itemId,
  type OutputItem,
  ownItem,
  summaryPart,
  toAnnotation,
  toCallItem,
  toHead,
  toItem,
  findTool,
} from './responses-reply.ts'
import type { ResponseForm } from './responses-request.ts'
import type { ToolName } from './responses-tools.ts'

/** An output item that has begun. */
interface OpenItem {
  /** As it began; once it has ended, the whole. */
  part: AnswerPart
  readonly id: string
  readonly outputIndex: number
  /** Of a text: its place in the content of the item. */
  contentIndex: number
  /** The item as OpenAI wrote it; undefined if it is written here. */
  own: OutputItem | undefined
  /** Of a tool call. */
  readonly tool: ToolName | undefined
  /** The number of its sources so far. */
  citations: number
  /** Of a text: its characters so far. */
  length: number
  /** Whether something of its content was sent, and its end. */
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
  /** Calls that ended without JSON. Calls of an answer that was cut off have no item. */
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

  protected override addNative({ dialect, data }: NativeEvent): void {
    if (dialect !== 'openai-responses') return
    const { type, ...fields } = data
    this.#send(String(type), fields)
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
      tool: part.type === 'tool_call' ? findTool(part, this.#form) : undefined,
      citations: part.type === 'text' ? (part.citations?.length ?? 0) : 0,
      length: 0,
      hasContent: false,
      hasEnd: false,
    }
    this.#last = open
    if (!isSame) this.#send('response.output_item.added', { output_index: outputIndex, item: addedItem(open) })
    // OpenAI says itself when the content of an item begins.
    if ('text' in part && (!own || part.text !== '')) this.#addText(open, part.text)
    return open
  }

  protected extend(open: OpenItem, { text = '', citation, data, logprobs }: TextDelta): void {
    if (data) return this.#sendOwn(open, data)
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
    const { part, tool, own } = open
    open.length += delta.length
    const isText = part.type === 'text' || part.type === 'refusal'
    if (!open.hasContent && (isText || (tool ? delta.trim() : delta) !== '')) {
      open.hasContent = true
      if (isText)
        this.#send('response.content_part.added', { ...itemIndexes(open), part: contentPart({ ...part, text: '' }) })
      else if (!tool)
        this.#send('response.reasoning_summary_part.added', { ...itemIndexes(open), part: summaryPart('') })
    }
    // The text of a custom tool is known when all of its JSON is.
    if (delta === '' || (tool?.isCustom && !own)) return
    const facts = part.type === 'text' && { logprobs: logprobs?.['content'] ?? [] }
    this.#send(`response.${itemKind(open)}.delta`, { ...itemIndexes(open), delta, ...facts })
  }

  #addCitation(open: OpenItem, citation: Citation): void {
    if (open.part.type !== 'text') return
    this.#addText(open, '')
    const indexes = { ...itemIndexes(open), annotation_index: open.citations++ }
    this.#send('response.output_text.annotation.added', { ...indexes, annotation: toAnnotation(citation, open.length) })
  }

  protected endPart(open: OpenItem, { part }: PartEnd): void {
    open.own = ownItem(part)
    const isJson = part.type === 'tool_call' && !(open.own && open.tool?.isCustom)
    const read = isJson ? readToolInput(part.inputText) : undefined
    open.part = { ...part, ...read }
    if (part.type === 'text' || part.type === 'refusal') this.#ended = open
    else if (read && !read.input && !open.own) this.#unsure.push(open)
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
    const item = own ?? (part.type === 'opaque' ? {} : toItem(part, open.id, this.#form, status))
    this.#output[outputIndex] = item
    this.#send('response.output_item.done', { output_index: outputIndex, item })
  }

  #endContent(open: OpenItem): void {
    const { part, own, hasContent } = open
    const indexes = itemIndexes(open)
    const type = `response.${itemKind(open)}.done`
    if (part.type === 'tool_call') {
      this.#endCall(open, part.inputText, type)
    } else if (part.type === 'refusal' || (part.type === 'text' && (hasContent || !own))) {
      this.#addText(open, '')
      const { text } = part
      this.#send(type, { ...indexes, ...(part.type === 'text' ? { text, logprobs: [] } : { refusal: text }) })
      this.#send('response.content_part.done', { ...indexes, part: contentPart(part) })
    } else if (part.type === 'reasoning' && part.text !== '') {
      this.#send(type, { ...indexes, text: part.text })
      this.#send('response.reasoning_summary_part.done', { ...indexes, part: summaryPart(part.text) })
    }
  }

  #endCall(open: OpenItem, json: string, type: string): void {
    const indexes = itemIndexes(open)
    if (open.tool?.isCustom) {
      const input = open.own ? json : textIn(json)
      if (!open.own) this.#send('response.custom_tool_call_input.delta', { ...indexes, delta: input })
      this.#send(type, { ...indexes, input })
      return
    }
    // Clients parse the arguments, also of a call without input.
    if (!open.hasContent) this.#addText(open, json)
    this.#send(type, { ...indexes, name: open.tool?.name, arguments: json })
  }

  protected finish(answer: TextAnswer): void {
    this.start()
    const { status } = toEnd(answer)
    const isOwn = answer.response?.native?.['openai-responses'] !== undefined
    if (this.#items === 0 && !isOwn) this.#ended = this.startPart({ type: 'text', text: '' })
    this.#closeText(status)
    for (const open of this.#unsure) if (status === 'completed') this.#closeItem(open, status)
    // A call that was cut off has no item.
    const response = endedResponse(this.#head, answer, this.#output.filter(Boolean))
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

/** The API's names for the content in deltas, and in their end. */
const kinds = {
  text: 'output_text',
  refusal: 'refusal',
  reasoning: 'reasoning_summary_text',
  tool_call: 'function_call_arguments',
}

function itemKind({ part, tool }: OpenItem): string {
  return tool?.isCustom ? 'custom_tool_call_input' : kinds[part.type as keyof typeof kinds]
}

/** The item before its content, also of an answer from the cache, whose parts come whole. */
function addedItem({ part, own, id, tool }: OpenItem): OutputItem {
  if (own) return part.type === 'text' || part.type === 'refusal' ? { ...own, status: 'in_progress', content: [] } : own
  if (tool && part.type === 'tool_call') return toCallItem(tool, '', { id, call_id: part.id, status: 'in_progress' })
  if (part.type === 'reasoning') return { id, type: 'reasoning', status: 'in_progress', summary: [] }
  if (part.type === 'file') return { id, type: 'image_generation_call', status: 'in_progress', result: null }
  return { id, type: 'message', status: 'in_progress', role: 'assistant', content: [] }
}

function itemIndexes({ part, id, outputIndex, contentIndex }: OpenItem): object {
  const indexes = { item_id: id, output_index: outputIndex }
  if (part.type === 'reasoning') return { ...indexes, summary_index: 0 }
  return part.type === 'tool_call' ? indexes : { ...indexes, content_index: contentIndex }
}
