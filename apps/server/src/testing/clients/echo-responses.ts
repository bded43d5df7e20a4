import { type Answer, type Body, type EchoDialect, functionComplaint, splitText } from './echo-dialect.ts'

const fields =
  'background context_management conversation include input instructions max_output_tokens max_tool_calls metadata model moderation parallel_tool_calls previous_response_id prompt prompt_cache_key prompt_cache_options prompt_cache_retention reasoning safety_identifier service_tier store stream stream_options temperature text tool_choice tools top_logprobs top_p truncation user client_metadata'

const usage = {
  input_tokens: 20,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 8,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 28,
}
const itemsOf = ({ input }: Body): readonly Body[] =>
  typeof input === 'string' ? [{ role: 'user', content: input }] : input
const textOf = (content: Body): string =>
  typeof content === 'string' ? content : (content ?? []).map((part: Body) => part.text ?? '').join('')

function listTools(body: Body): readonly Body[] {
  const added = itemsOf(body).flatMap(({ type, tools }) => (type === 'additional_tools' ? tools : []))
  return [...(body.tools ?? []), ...added].flatMap((tool) => (tool.type === 'namespace' ? tool.tools : [tool]))
}

function toItem(answer: Answer) {
  if ('text' in answer) {
    const content = [{ type: 'output_text', text: answer.text, annotations: [], logprobs: [] }]
    return { id: 'msg_echo', type: 'message', status: 'completed', role: 'assistant', content }
  }
  const { input, ...named } = answer.call
  const call = { status: 'completed', call_id: 'call_echo_1', ...named }
  return typeof input === 'string'
    ? { id: 'ctc_echo', type: 'custom_tool_call', ...call, input }
    : { id: 'fc_echo', type: 'function_call', ...call, arguments: JSON.stringify(input) }
}

const responseOf = (body: Body, status: string, output: readonly object[]) => ({
  id: 'resp_echo',
  object: 'response',
  created_at: 1_795_000_000,
  status,
  background: false,
  error: null,
  incomplete_details: null,
  instructions: body.instructions ?? null,
  metadata: body.metadata ?? {},
  model: body.model,
  output,
  parallel_tool_calls: true,
  previous_response_id: null,
  store: body.store ?? true,
  temperature: 1,
  text: body.text ?? { format: { type: 'text' } },
  tool_choice: 'auto',
  tools: body.tools ?? [],
  top_p: 1,
  truncation: 'disabled',
  usage: status === 'completed' ? usage : null,
})

/** OpenAI's Responses API. */
export const responses: EchoDialect = {
  fields: new Set(fields.split(' ')),
  complaint(body) {
    if (body.input === undefined) return "Missing required parameter: 'input'."
    for (const [index, { call_id: id = '', id: own = '' }] of itemsOf(body).entries()) {
      if (id.length > 64 || own.length > 64) return `Invalid 'input[${index}]': string too long.`
    }
    return listTools(body)
      .map(({ parameters }, index) => functionComplaint(parameters, `tools[${index}]`))
      .find(Boolean)
  },
  read: (body) => ({
    asked: textOf(itemsOf(body).findLast(({ role }) => role === 'user')?.content),
    tools: listTools(body).map(({ name }) => name),
    hasResult: String(itemsOf(body).at(-1)?.type).endsWith('_output'),
  }),
  whole: (body, answer) => responseOf(body, 'completed', [toItem(answer)]),
  stream(body, answer) {
    const item: Body = toItem(answer)
    const at = { output_index: 0, item_id: item.id }
    const events = [
      { type: 'response.created', response: responseOf(body, 'in_progress', []) },
      { type: 'response.in_progress', response: responseOf(body, 'in_progress', []) },
      {
        type: 'response.output_item.added',
        output_index: 0,
        item: { ...item, status: 'in_progress', ...emptied(item) },
      },
      ...toDeltas(item, at),
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.completed', response: responseOf(body, 'completed', [item]) },
    ]
    return events.map((event, index) => ({ event: event.type, data: { ...event, sequence_number: index } }))
  },
  error: (message) => ({ error: { message, type: 'invalid_request_error', param: null, code: null } }),
}

function emptied({ type }: Body): object {
  if (type === 'message') return { content: [] }
  return type === 'function_call' ? { arguments: '' } : { input: '' }
}

function toDeltas(item: Body, at: object): readonly (Readonly<Record<string, unknown>> & { readonly type: string })[] {
  if (item.type !== 'message') {
    const kind = item.type === 'function_call' ? 'function_call_arguments' : 'custom_tool_call_input'
    const text: string = item.arguments ?? item.input
    const half = Math.floor(text.length / 2)
    const deltas = [text.slice(0, half), text.slice(half)].map((delta) => ({
      type: `response.${kind}.delta`,
      ...at,
      delta,
    }))
    const done = item.type === 'function_call' ? { arguments: text, name: item.name } : { input: text }
    return [...deltas, { type: `response.${kind}.done`, ...at, ...done }]
  }
  const [part] = item.content
  const inside = { ...at, content_index: 0 }
  return [
    { type: 'response.content_part.added', ...inside, part: { ...part, text: '' } },
    ...splitText(part.text).map((delta) => ({ type: 'response.output_text.delta', ...inside, delta, logprobs: [] })),
    { type: 'response.output_text.done', ...inside, text: part.text, logprobs: [] },
    { type: 'response.content_part.done', ...inside, part },
  ]
}
