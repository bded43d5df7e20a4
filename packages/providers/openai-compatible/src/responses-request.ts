import {
  type Issue,
  isObject,
  ProviderError,
  type ResponseFormat,
  type TextRequest,
  type WebSearch,
} from '@fairlead/core/provider'
import { unsupported, withOptions } from '@fairlead/provider-toolkit'
import { addSampling, type Body, jsonSchema, toFunction, type WireRequest } from './chat-request.ts'
import type { ServerDialect, Options, OptionsOf, RequestSettings } from './dialect.ts'
import { asResponses, isForeignFormat, lostAsResponses, type OwnForm, ownForm, withOwnFields } from './native.ts'
import { toInputItems } from './responses-input.ts'
import { filled, without } from './sent-values.ts'

/** The API rejects a lower maximum. */
const minOutputTokens = 16

/**
 * The request of a response that the server does not store. Its reasoning comes encrypted instead, so that the next request
 * can return it.
 */
export function toResponsesRequest(request: TextRequest, settings: RequestSettings): WireRequest {
  const { dialect, chosen, leftOut, optionsOf } = settings
  const { isReasoning } = chosen
  const warnings = [...chosen.warnings]
  const takenParameters = { ...dialect, seedField: null, penalties: false, stop: false }
  const sampling: Body = {}
  addSampling(sampling, request, settings, takenParameters, warnings)
  const { model, messages, maxTokens, responseFormat } = request
  const body = {
    model,
    input: toInputItems(messages, optionsOf, isReasoning),
    store: false,
    ...(maxTokens !== undefined && { max_output_tokens: Math.max(maxTokens, minOutputTokens) }),
    ...sampling,
    ...(chosen.effort && { reasoning: { effort: chosen.effort } }),
    ...(isReasoning && { include: [encryptedReasoning] }),
    ...toolFields(request, dialect, optionsOf, warnings),
    ...(responseFormat && { text: { format: toFormat(responseFormat, warnings) } }),
  }
  const form = ownForm(request)
  const lost = form?.dialect === 'openai-chat' ? lostAsResponses(form.fields).map(unsupported) : []
  const whole = withOptions(form ? inOwnForm(body, form) : body, optionsOf(request))
  return {
    // Null is the API's default, which is to store the response.
    body: { ...whole, store: whole['store'] ?? false },
    warnings: [...warnings, ...tooFewTokens(maxTokens), ...lost, ...leftOut],
  }
}

/** Because responses are not stored, the reasoning has to come with them. */
const encryptedReasoning = 'reasoning.encrypted_content'

/** The body with what the client said in its own API. */
function inOwnForm(body: ResponseBody, { dialect, fields }: OwnForm): Options {
  if (dialect === 'openai-chat') {
    const { text, ...others } = asResponses(fields)
    return { ...body, ...others, ...(isObject(text) && { text: { ...body.text, ...text } }) }
  }
  const { reasoning: asked, include: included, text: form, ...others } = fields
  const reasoning = { ...(isObject(asked) && without(asked, ['effort'])), ...body.reasoning }
  const own: readonly unknown[] = Array.isArray(included) ? included : []
  const include = [...own, ...(body.include ?? []).filter((name) => !own.includes(name))]
  const text = isObject(form) ? inOwnFormat(form, body.text) : undefined
  return {
    ...withOwnFields(body, others),
    ...(Object.keys(reasoning).length > 0 && { reasoning }),
    ...(include.length > 0 && { include }),
    ...(text && { text }),
  }
}

interface ResponseBody extends Options {
  readonly reasoning?: Options
  readonly include?: readonly string[]
  readonly text?: Options
}

/** The format is left out where core asks for it in words. */
function inOwnFormat(form: Options, text: Options | undefined): Options | undefined {
  if (text || isForeignFormat(form['format'])) return form
  return filled(without(form, ['format']))
}

function tooFewTokens(maxTokens = Infinity): readonly Issue[] {
  if (maxTokens >= minOutputTokens) return []
  return [{ field: 'maxTokens', issue: `was raised to ${minOutputTokens}, the minimum of this model` }]
}

/** Tools are strict by default in this API, which would make optional properties required. */
function toolFields(
  { tools = [], toolChoice, parallelToolCalls, webSearch }: TextRequest,
  dialect: ServerDialect,
  optionsOf: OptionsOf,
  warnings: Issue[],
): Options {
  if (tools.length === 0 && !webSearch) return {}
  const functions = tools.map(({ providerOptions, strict = false, ...tool }, index) => ({
    ...optionsOf({ providerOptions }),
    type: 'function',
    ...toFunction({ ...tool, strict }, index, dialect, warnings),
  }))
  return {
    tools: webSearch ? [...functions, toSearch(webSearch)] : functions,
    // The search is the only tool that the API runs itself.
    ...(webSearch?.maxUses !== undefined && { max_tool_calls: webSearch.maxUses }),
    ...(toolChoice && {
      tool_choice: toolChoice.type === 'tool' ? { type: 'function', name: toolChoice.name } : toolChoice.type,
    }),
    ...(parallelToolCalls !== undefined && { parallel_tool_calls: parallelToolCalls }),
  }
}

function toFormat(format: ResponseFormat, warnings: Issue[]): Options {
  return format.type === 'json' ? { type: 'json_object' } : { type: 'json_schema', ...jsonSchema(format, warnings) }
}

function toSearch({ allowedDomains, blockedDomains, userLocation }: WebSearch): Options {
  if (blockedDomains) {
    const detail = 'is not supported by this model: use "allowedDomains"'
    throw new ProviderError('invalid_request', detail, { field: 'webSearch.blockedDomains', detail })
  }
  return {
    type: 'web_search',
    ...(allowedDomains && { filters: { allowed_domains: allowedDomains } }),
    ...(userLocation && { user_location: { type: 'approximate', ...userLocation } }),
  }
}
