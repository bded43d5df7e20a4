import { type Answer, type Body, type EchoDialect, splitText } from './echo-dialect.ts'

const fields =
  'model messages max_tokens cache_control container context_management inference_geo mcp_servers metadata output_config output_format service_tier speed stop_sequences stream system temperature thinking tool_choice tools top_k top_p diagnostics'

const usage = {
  input_tokens: 20,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  output_tokens: 8,
  service_tier: 'standard',
}
const blocksOf = (content: Body): readonly Body[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : content

function toBlock(answer: Answer) {
  if ('text' in answer) return { type: 'text', text: answer.text, citations: null }
  return { type: 'tool_use', id: 'toolu_echo_1', name: answer.call.name, input: answer.call.input }
}

const messageOf = ({ model }: Body) => ({ id: 'msg_echo', type: 'message', role: 'assistant', model })
const stopOf = (answer: Answer) => ('text' in answer ? 'end_turn' : 'tool_use')

/** Anthropic's Messages API. */
export const messages: EchoDialect = {
  fields: new Set(fields.split(' ')),
  complaint({ max_tokens: maxTokens, messages: sent, tools = [] }, headers) {
    if (headers['anthropic-version'] === undefined) return 'anthropic-version: header is required'
    if (typeof maxTokens !== 'number') return 'max_tokens: Field required'
    if (!Array.isArray(sent) || sent.length === 0) return 'messages: at least one message is required'
    const empty = sent.findIndex(({ content }) => content.length === 0)
    if (empty >= 0) return `messages.${empty}: all messages must have non-empty content`
    const untyped = tools.findIndex(({ type, input_schema: schema }: Body) => !type && schema?.type !== 'object')
    return untyped >= 0 ? `tools.${untyped}.custom.input_schema: Field required` : undefined
  },
  read({ messages: sent, tools = [] }) {
    const users = sent.filter(({ role }: Body) => role === 'user')
    const texts = blocksOf(users.at(-1)?.content ?? '').filter(({ type }) => type === 'text')
    return {
      asked: texts.at(-1)?.text ?? '',
      tools: tools.map(({ name }: Body) => name),
      hasResult: users.some(({ content }: Body) => blocksOf(content).some(({ type }) => type === 'tool_result')),
    }
  },
  whole: (body, answer) => ({
    ...messageOf(body),
    content: [toBlock(answer)],
    stop_reason: stopOf(answer),
    stop_sequence: null,
    usage,
  }),
  stream(body, answer) {
    const block = toBlock(answer)
    const isText = 'text' in answer
    const opened = isText ? { ...block, text: '' } : { ...block, input: {} }
    const deltas = isText
      ? splitText(answer.text).map((text) => ({ type: 'text_delta', text }))
      : ['', JSON.stringify(answer.call.input)].map((json) => ({ type: 'input_json_delta', partial_json: json }))
    const start = { ...messageOf(body), content: [], stop_reason: null, stop_sequence: null, usage }
    const events = [
      { type: 'message_start', message: start },
      { type: 'content_block_start', index: 0, content_block: opened },
      { type: 'ping' },
      ...deltas.map((delta) => ({ type: 'content_block_delta', index: 0, delta })),
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: stopOf(answer), stop_sequence: null }, usage },
      { type: 'message_stop' },
    ]
    return events.map((event) => ({ event: event.type, data: event }))
  },
  error: (message) => ({ type: 'error', error: { type: 'invalid_request_error', message } }),
}
