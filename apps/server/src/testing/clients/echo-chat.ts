import { type Answer, type Body, type EchoDialect, functionComplaint, splitText } from './echo-dialect.ts'

const fields =
  'messages model audio frequency_penalty function_call functions logit_bias logprobs max_completion_tokens max_tokens metadata modalities moderation n parallel_tool_calls prediction presence_penalty prompt_cache_key prompt_cache_options prompt_cache_retention reasoning_effort response_format safety_identifier seed service_tier stop store stream stream_options temperature tool_choice tools top_logprobs top_p user verbosity web_search_options'

const usage = { prompt_tokens: 20, completion_tokens: 8, total_tokens: 28 }
const textOf = (content: Body): string =>
  typeof content === 'string' ? content : (content ?? []).map((part: Body) => part.text ?? '').join('')

function toMessage(answer: Answer) {
  if ('text' in answer) return { role: 'assistant', content: answer.text, refusal: null }
  const { name, input } = answer.call
  const call = { id: 'call_echo_1', type: 'function', function: { name, arguments: JSON.stringify(input) } }
  return { role: 'assistant', content: null, refusal: null, tool_calls: [call] }
}

const finishOf = (answer: Answer) => ('text' in answer ? 'stop' : 'tool_calls')
const headOf = ({ model }: Body) => ({ id: 'chatcmpl-echo', created: 1_795_000_000, model, system_fingerprint: null })

/** OpenAI's chat completions. */
export const chat: EchoDialect = {
  fields: new Set(fields.split(' ')),
  complaint({ messages, tools = [], model, max_tokens: maxTokens }) {
    if (!Array.isArray(messages) || messages.length === 0) return "Invalid 'messages': empty array."
    if (maxTokens !== undefined && /^(gpt-[5-9]|o\d)/.test(model)) return "Unsupported parameter: 'max_tokens'."
    for (const [index, { content, tool_calls: calls = [], tool_call_id: id = '' }] of messages.entries()) {
      if (content === undefined && calls.length === 0)
        return `Missing required parameter: 'messages[${index}].content'.`
      for (const each of [id, ...calls.map((call: Body) => call.id)]) {
        if (each.length > 64) return `Invalid 'messages[${index}]': string too long.`
      }
    }
    const complaints = tools.map(({ function: own }: Body, index: number) =>
      functionComplaint(own?.parameters, `tools[${index}]`),
    )
    return complaints.find(Boolean)
  },
  read({ messages, tools = [] }) {
    const last = messages.findLast(({ role }: Body) => role === 'user')
    return {
      asked: textOf(last?.content),
      tools: tools.map(({ function: own }: Body) => own?.name),
      hasResult: messages.at(-1).role === 'tool',
    }
  },
  whole: (body, answer) => ({
    ...headOf(body),
    object: 'chat.completion',
    choices: [{ index: 0, message: toMessage(answer), logprobs: null, finish_reason: finishOf(answer) }],
    usage,
  }),
  stream(body, answer) {
    const chunk = (delta: object, finish: string | null = null) => ({
      data: {
        ...headOf(body),
        object: 'chat.completion.chunk',
        choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
        ...(body.stream_options?.include_usage && { usage: null }),
      },
    })
    const counts = { data: { ...headOf(body), object: 'chat.completion.chunk', choices: [], usage } }
    return [
      chunk({ role: 'assistant', content: 'text' in answer ? '' : null, refusal: null }),
      ...toDeltas(answer).map((delta) => chunk(delta)),
      chunk({}, finishOf(answer)),
      ...(body.stream_options?.include_usage ? [counts] : []),
      { data: '[DONE]' },
    ]
  },
  error: (message) => ({ error: { message, type: 'invalid_request_error', param: null, code: null } }),
}

/** The arguments of a call come in two pieces. */
function toDeltas(answer: Answer): readonly object[] {
  if ('text' in answer) return splitText(answer.text).map((content) => ({ content }))
  const { name, input } = answer.call
  const text = JSON.stringify(input)
  const half = Math.floor(text.length / 2)
  const first = { index: 0, id: 'call_echo_1', type: 'function', function: { name, arguments: '' } }
  const pieces = [text.slice(0, half), text.slice(half)]
  return [
    { tool_calls: [first] },
    ...pieces.map((piece) => ({ tool_calls: [{ index: 0, function: { arguments: piece } }] })),
  ]
}
