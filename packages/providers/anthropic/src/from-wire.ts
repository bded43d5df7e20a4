import { ProviderError, type Issue, type TextAnswer, type TextEvent } from '@fairlead/core/provider'
import { readFinish } from './finish.ts'
import type { MessageReply, StreamEvent, WireUsage } from './wire.ts'

/** The text of a reply, without thinking and other blocks. */
export function fromWire(reply: MessageReply, warnings: readonly Issue[]): TextAnswer {
  const content = reply.content.map((block) => (block.type === 'text' ? block.text : '')).join('')
  const finish = readFinish(reply, reply.usage, content !== '')
  return { content, ...finish, warnings: [...warnings, ...finish.warnings] }
}

/** The events of one stream, which is complete only after `message_stop`. */
export async function* fromEvents(
  events: AsyncIterable<StreamEvent>,
  warnings: readonly Issue[],
): AsyncGenerator<TextEvent, void, undefined> {
  let usage: Partial<WireUsage> = {}
  let ending: Parameters<typeof readFinish>[0] = {}
  let hasText = false
  for await (const event of events) {
    if (event.type === 'message_start') usage = event.message.usage
    if (event.type === 'message_delta') {
      ending = { ...ending, ...event.delta }
      usage = withLatest(usage, event.usage)
    }
    const text = textOf(event)
    if (text !== '') {
      hasText = true
      yield { type: 'text', text }
    }
    if (event.type !== 'message_stop') continue
    const finish = readFinish(ending, usage, hasText)
    yield { type: 'finish', ...finish, warnings: [...warnings, ...finish.warnings] }
    return
  }
  throw new ProviderError('retry', 'the stream ended before message_stop')
}

function textOf(event: StreamEvent): string {
  if (event.type === 'content_block_start' && event.content_block.type === 'text') return event.content_block.text
  if (event.type === 'content_block_delta' && event.delta.type === 'text_delta') return event.delta.text
  return ''
}

/** Counts are cumulative; a missing count is unchanged. */
function withLatest(usage: Partial<WireUsage>, latest: WireUsage | undefined): Partial<WireUsage> {
  const reported = Object.entries(latest ?? {}).filter(([, count]) => count !== undefined && count !== null)
  return { ...usage, ...Object.fromEntries(reported) }
}
