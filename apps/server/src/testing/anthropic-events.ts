import type { RecordedEvent } from '@fairlead/testing'
import { type Fields, usage } from './anthropic-forms.ts'

/** A reply as the API streams it. */
export function toEvents(reply: Fields & { readonly content: readonly Fields[] }): readonly RecordedEvent[] {
  const { content, stop_reason, stop_sequence, stop_details, container, usage: counts, ...start } = reply
  const { context_management, input_transformations, ...rest } = start
  const { service_tier: _tier, ...later } = counts as typeof usage
  const started = {
    ...rest,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { ...usage, output_tokens: 1 },
  }
  const events = [
    { type: 'message_start', message: started },
    ...content.flatMap(blockEvents),
    {
      type: 'message_delta',
      delta: { stop_reason, stop_sequence, stop_details, container },
      usage: later,
      context_management,
      input_transformations,
    },
    { type: 'message_stop' },
  ]
  return events.map((data) => ({ event: data.type, data }))
}

function blockEvents(block: Fields, index: number): readonly (Fields & { readonly type: string })[] {
  const { start, deltas } = streamed(block)
  return [
    { type: 'content_block_start', index, content_block: start },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ]
}

function streamed(block: Fields): { readonly start: Fields; readonly deltas: readonly Fields[] } {
  switch (block['type']) {
    case 'text': {
      const cited = (block['citations'] as Fields[] | null) ?? []
      const deltas = cited.map((citation) => ({ type: 'citations_delta', citation }))
      const text = { type: 'text_delta', text: block['text'] }
      return {
        start: { type: 'text', text: '', ...(deltas.length > 0 && { citations: [] }) },
        deltas: [text, ...deltas],
      }
    }
    case 'thinking':
      return {
        start: { type: 'thinking', thinking: '', signature: '' },
        deltas: [
          { type: 'thinking_delta', thinking: block['thinking'] },
          { type: 'signature_delta', signature: block['signature'] },
        ],
      }
    case 'tool_use':
    case 'server_tool_use':
    case 'mcp_tool_use': {
      const json = JSON.stringify(block['input'])
      const pieces = ['', json.slice(0, 4), json.slice(4)]
      const deltas = pieces.map((partial_json) => ({ type: 'input_json_delta', partial_json }))
      return { start: { ...block, input: {} }, deltas }
    }
    case 'compaction': {
      const { content, encrypted_content } = block
      return { start: { ...block, content: null }, deltas: [{ type: 'compaction_delta', content, encrypted_content }] }
    }
    default:
      return { start: block, deltas: [] }
  }
}
