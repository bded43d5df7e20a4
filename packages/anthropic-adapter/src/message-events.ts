import type { Generation, GenerationChunk } from '@fairlead/core/types'
import { eventText, type ResultEvent } from '@fairlead/http'
import { toErrorBody } from './errors.ts'
import { redactedBlock, sealedBlock, signatureOf, textBlock, thinkingBlock, toolBlock } from './message-blocks.ts'
import { emptyMessage, type MessageHead, toStop, toUsage } from './message-body.ts'
import type { Block, ProviderData } from './provider-data.ts'

/** The field of a delta's text. */
const fields = {
  text_delta: 'text',
  thinking_delta: 'thinking',
  signature_delta: 'signature',
  input_json_delta: 'partial_json',
} as const

type Delta = keyof typeof fields

/**
 * The events of one stream. Texts and thoughts are one block after the other. Blocks of tool calls end with the stream,
 * because the parts of several calls may alternate.
 */
export function messageEvents(head: MessageHead, data: ProviderData): (event: ResultEvent) => string {
  const calls = new Map<string, number>()
  let open: { readonly type: 'text' | 'thinking'; readonly index: number } | undefined
  let blocks = 0
  let hasStarted = false
  let sent = ''

  function send(type: string, members: Block = {}): void {
    sent += eventText(JSON.stringify({ type, ...members }), type)
  }

  function start(block: Block): number {
    close()
    send('content_block_start', { index: blocks, content_block: block })
    return blocks++
  }

  function close(): void {
    if (open) send('content_block_stop', { index: open.index })
    open = undefined
  }

  function sendWhole(block: Block): void {
    send('content_block_stop', { index: start(block) })
  }

  function extend(type: 'text' | 'thinking', delta: Delta, text: string): void {
    if (open?.type !== type) {
      const index = start(type === 'text' ? textBlock('') : thinkingBlock('', ''))
      open = { type, index }
    }
    sendDelta(open.index, delta, text)
  }

  /** What nearly all events are. */
  function sendDelta(index: number, delta: Delta, text: string): void {
    sent += `event: content_block_delta\ndata: {"type":"content_block_delta","index":${index},"delta":{"type":"${delta}","${fields[delta]}":${JSON.stringify(text)}}}\n\n`
  }

  function addReasoning(thinking: string, { providerOptions }: GenerationChunk): void {
    const redacted = open?.type === 'thinking' ? undefined : redactedBlock(thinking, providerOptions, data)
    if (redacted) return sendWhole(redacted)
    if (thinking !== '') extend('thinking', 'thinking_delta', thinking)
    if (!providerOptions) return
    extend('thinking', 'signature_delta', signatureOf({ providerOptions }, data))
    close()
  }

  function addToolCall(call: NonNullable<GenerationChunk['toolCall']>, { providerOptions }: GenerationChunk): void {
    const { id, name, inputDelta } = call
    const own = data.ofAnthropic(providerOptions)
    const index = calls.get(id) ?? start(toolBlock(id, name, own))
    calls.set(id, index)
    if (inputDelta !== '') sendDelta(index, 'input_json_delta', inputDelta)
    if (providerOptions && !own) sendWhole(sealedBlock('tool_call', providerOptions, id))
  }

  function addText(text: string, { providerOptions }: GenerationChunk): void {
    if (text !== '') extend('text', 'text_delta', text)
    if (!providerOptions) return
    close()
    if (!data.ofAnthropic(providerOptions)) sendWhole(sealedBlock('text', providerOptions))
  }

  function begin(usage?: GenerationChunk['usage']): void {
    if (hasStarted) return
    hasStarted = true
    send('message_start', { message: emptyMessage(head, usage) })
    send('ping')
  }

  function finish({ usage, ...end }: Generation): void {
    close()
    for (const index of calls.values()) send('content_block_stop', { index })
    send('message_delta', { delta: toStop(end), usage: toUsage(usage) })
    send('message_stop')
  }

  return (event) => {
    sent = ''
    if (event.type === 'error') {
      const { type, ...body } = toErrorBody(event.reply)
      send(type, body)
      return sent
    }
    begin(event.type === 'chunk' ? (event.chunk as GenerationChunk).usage : undefined)
    if (event.type === 'done') {
      finish(event.reply.data as Generation)
      return sent
    }
    const chunk = event.chunk as GenerationChunk
    if (chunk.toolCall) addToolCall(chunk.toolCall, chunk)
    // The end of the message has its text.
    else if (chunk.refusal !== undefined) return sent
    else if (chunk.reasoning === undefined) addText(chunk.content, chunk)
    else addReasoning(chunk.reasoning, chunk)
    return sent
  }
}
