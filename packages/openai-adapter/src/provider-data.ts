import type { ProviderOptions, ReasoningPart } from '@fairlead/core/provider'
import { type Fields, isObject, type ParseObject } from '@fairlead/http'

/**
 * The data that a provider needs back in the next request, in the fields that clients of other services keep:
 * `extra_content` of a tool call, as with Gemini, and `reasoning_details`, as with OpenRouter.
 */
export function toExtraContent(options: ProviderOptions | undefined): { readonly extra_content?: Fields } {
  if (!options) return {}
  const { thoughtSignature, ...google } = options['google'] ?? {}
  if (thoughtSignature === undefined) return { extra_content: options }
  return { extra_content: { ...options, google: { ...google, thought_signature: thoughtSignature } } }
}

export function fromExtraContent({ extra_content: extra }: Fields): { readonly providerOptions?: Fields } {
  if (!isObject(extra)) return {}
  const given = isObject(extra['google']) ? extra['google'] : {}
  const { thought_signature: thoughtSignature, ...google } = given
  if (thoughtSignature === undefined) return { providerOptions: extra }
  return { providerOptions: { ...extra, google: { ...google, thoughtSignature } } }
}

/** A `signature` is opaque to clients. @returns undefined if there is none */
export function toReasoningDetails(thoughts: readonly ReasoningPart[]) {
  if (!thoughts.some(({ providerOptions }) => providerOptions)) return undefined
  const details = thoughts.map(({ text, providerOptions }, index) => {
    const signed = providerOptions && { signature: JSON.stringify(providerOptions) }
    return { type: 'reasoning.text', text, ...signed, index }
  })
  return { reasoning_details: details }
}

/** The reasoning of an earlier answer. Details of other services, which nothing here can use, are left out. */
export function fromReasoning(message: Fields, parse: ParseObject, path: string): readonly object[] {
  const { reasoning_details: details, reasoning_content: content, reasoning = content } = message
  if (!Array.isArray(details)) {
    return typeof reasoning === 'string' && reasoning !== '' ? [{ type: 'reasoning', text: reasoning }] : []
  }
  return details.flatMap((detail, index) => {
    if (!isObject(detail) || detail['type'] !== 'reasoning.text') return []
    const { text = '', signature } = detail
    const isOwn = typeof signature === 'string' && signature.startsWith('{')
    const providerOptions = isOwn && parse(signature, `${path}.reasoning_details[${index}].signature`)
    return [{ type: 'reasoning', text, ...(providerOptions && { providerOptions }) }]
  })
}
