import type { Message, ResponseFormat, Tool, ToolChoice } from '../conversation/conversation.ts'
import type { CallRequest } from '../call-model.ts'

type Body = CallRequest['body']
type Part = Exclude<Message['content'], string>[number]

/** A request for a text as the body of OpenAI's chat completions. Reasoning has no place in its messages. */
export function toChatCompletion(body: Body): Body {
  const { prompt, messages, tools, tool_choice, response_format, reasoning, max_tokens, ...rest } = body as Body &
    Fields
  const { model, ...parameters } = rest
  return {
    model,
    messages: (messages ?? [{ role: 'user', content: prompt ?? '' }]).flatMap(toChatMessages),
    ...(tools && { tools: tools.map(toFunction) }),
    ...(tool_choice && {
      tool_choice:
        tool_choice.type === 'tool' ? { type: 'function', function: { name: tool_choice.name } } : tool_choice.type,
    }),
    ...(response_format && { response_format: toChatFormat(response_format) }),
    ...(reasoning && { reasoning_effort: reasoning.effort }),
    ...(typeof max_tokens === 'number' && { max_completion_tokens: max_tokens }),
    ...Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== null)),
  }
}

interface Fields {
  readonly model: string
  readonly prompt?: string
  readonly messages?: readonly Message[]
  readonly tools?: readonly Tool[]
  readonly tool_choice?: ToolChoice
  readonly response_format?: ResponseFormat
  readonly reasoning?: { readonly effort: string }
  readonly max_tokens?: number | null
}

function toChatMessages({ role, content }: Message): readonly object[] {
  if (typeof content === 'string') return [{ role, content }]
  if (role === 'tool') {
    return content
      .filter((part) => part.type === 'tool_result')
      .map(({ tool_call_id, content: result }) => ({ role, tool_call_id, content: result }))
  }
  if (role === 'assistant') {
    const calls = content.filter((part) => part.type === 'tool_call').map(toChatCall)
    const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('')
    return [{ role, content: text, ...(calls.length > 0 && { tool_calls: calls }) }]
  }
  return [{ role, content: content.map(toChatPart) }]
}

function toChatPart(part: Part): object {
  if (part.type !== 'image' && part.type !== 'file') return part
  const url = part.url ?? `data:${part.media_type};base64,${part.data}`
  if (part.type === 'image') return { type: 'image_url', image_url: { url } }
  return { type: 'file', file: { ...(part.filename && { filename: part.filename }), file_data: url } }
}

function toChatCall({ id, name, input }: Extract<Part, { type: 'tool_call' }>): object {
  return { id, type: 'function', function: { name, arguments: JSON.stringify(input) } }
}

function toFunction({ name, description, input_schema: parameters, strict }: Tool): object {
  return {
    type: 'function',
    function: { name, ...(description && { description }), parameters, ...(strict && { strict }) },
  }
}

function toChatFormat({ type, name = 'answer', schema, description, strict }: ResponseFormat): object {
  if (type !== 'json_schema') return { type: type === 'json' ? 'json_object' : type }
  return { type, json_schema: { name, ...(description && { description }), schema, ...(strict && { strict }) } }
}
