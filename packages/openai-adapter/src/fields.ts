import { isReservedOption } from '@fairlead/core/adapter'
import { type Fields, isObject, isPresent } from '@fairlead/http'

/** Settings of every request for text, which core interprets. */
export const settings = ['model', 'stream', 'stream_options', 'temperature', 'top_p', 'provider_options', 'cache']
/** Further ones of both kinds of completions. */
export const completionSettings = ['max_tokens', 'frequency_penalty', 'presence_penalty', 'seed']
export const toolSettings = ['tools', 'tool_choice', 'parallel_tool_calls']

/** The names of fields that were sent with a value, other than the known ones. */
export function unknownFields(fields: Fields, known: readonly string[]): readonly string[] {
  return Object.keys(fields).filter((name) => !known.includes(name) && isPresent(fields[name]))
}

/** Whether a message, a part, or a tool has options for single providers, which OpenAI's API does not have. */
export function hasOptions(value: unknown): boolean {
  return isObject(value) && ('provider_options' in value || 'cache_control' in value)
}

/**
 * The fields that a provider of the client's API gets as they are: neither the contract's fields, nor Fairlead's own
 * settings of a call. Tools with options for single providers are written anew, because only core knows whose they are.
 *
 * @param own fields of the API, although Fairlead has settings of these names. Default: none.
 */
export function nativeFields(body: Fields, interpreted: readonly string[], own: readonly string[] = []): Fields {
  const { tools } = body
  const isRewritten =
    Array.isArray(tools) && tools.some((tool) => hasOptions(tool) || (isObject(tool) && hasOptions(tool['function'])))
  const isKept = (name: string) =>
    !interpreted.includes(name) && !(name === 'tools' && isRewritten) && (own.includes(name) || !isReservedOption(name))
  return Object.fromEntries(Object.entries(body).filter(([name]) => isKept(name)))
}
