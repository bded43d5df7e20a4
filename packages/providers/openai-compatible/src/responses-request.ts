import type { Issue, ResponseFormat, TextRequest } from '@fairlead/core/provider'
import { jsonSchema, type RequestSettings, type WireRequest } from './chat-request.ts'
import { type Options, type OptionsOf, withOptions } from './parts.ts'
import { toInputItems } from './responses-input.ts'
import { samplingOf } from './sampling.ts'

/** The API rejects a lower maximum. */
const minOutputTokens = 16

/**
 * The request of a response that the server does not store. Its reasoning comes encrypted instead, so that the next request
 * can return it.
 */
export function toResponsesRequest(
  request: TextRequest,
  { dialect, rule, chosen, leftOut = [], optionsOf }: RequestSettings,
): WireRequest {
  const { isReasoning } = chosen
  const sampling = samplingOf(
    request,
    { ...dialect, seedField: null, penalties: false, stop: false },
    rule,
    isReasoning,
  )
  const { model, messages, maxTokens, responseFormat } = request
  const body = {
    model,
    input: toInputItems(messages, optionsOf, isReasoning),
    store: false,
    ...(maxTokens !== undefined && { max_output_tokens: Math.max(maxTokens, minOutputTokens) }),
    ...sampling.fields,
    ...(chosen.effort && { reasoning: { effort: chosen.effort } }),
    ...(isReasoning && { include: ['reasoning.encrypted_content'] }),
    ...toolFields(request, optionsOf),
    ...(responseFormat && { text: { format: toFormat(responseFormat) } }),
  }
  return {
    body: withOptions(body, optionsOf(request)),
    warnings: [...sampling.warnings, ...chosen.warnings, ...tooFewTokens(maxTokens), ...leftOut],
  }
}

function tooFewTokens(maxTokens = Infinity): readonly Issue[] {
  if (maxTokens >= minOutputTokens) return []
  return [{ field: 'maxTokens', issue: `was raised to ${minOutputTokens}, the minimum of this model` }]
}

/** Tools are strict by default in this API, which would make optional properties required. */
function toolFields({ tools = [], toolChoice, parallelToolCalls }: TextRequest, optionsOf: OptionsOf): Options {
  if (tools.length === 0) return {}
  return {
    tools: tools.map(({ name, description, inputSchema, strict = false, providerOptions }) => ({
      ...optionsOf({ providerOptions }),
      type: 'function',
      name,
      ...(description !== undefined && { description }),
      parameters: inputSchema,
      strict,
    })),
    ...(toolChoice && {
      tool_choice: toolChoice.type === 'tool' ? { type: 'function', name: toolChoice.name } : toolChoice.type,
    }),
    ...(parallelToolCalls !== undefined && { parallel_tool_calls: parallelToolCalls }),
  }
}

function toFormat(format: ResponseFormat): Options {
  return format.type === 'json' ? { type: 'json_object' } : { type: 'json_schema', ...jsonSchema(format) }
}
