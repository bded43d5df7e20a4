import type { ProviderOptions } from '@fairlead/core/provider'
import { type ParseObject, seal, unseal } from '@fairlead/http'
import { type Fields, isObject } from './fields.ts'

/** What providers need back with their reasoning, as a text that clients send back unread. */
export function toEncrypted(options: ProviderOptions | undefined): string | undefined {
  return options && seal(options)
}

/** The data of the provider. Other reasoning is of OpenAI itself, from the time before the client came here. */
export function fromEncrypted(
  { id, summary }: Fields,
  encrypted: unknown,
  place: string,
  parse: ParseObject,
): Fields | undefined {
  if (typeof encrypted !== 'string' || encrypted === '') return undefined
  const known = { ...(typeof id === 'string' && { id }), summary: Array.isArray(summary) ? summary : [] }
  return unseal(encrypted, place, parse) ?? { openai: { ...known, encrypted_content: encrypted } }
}

/** The data of a part that is not reasoning: OpenAI's own `phase`, and that of others by provider id. */
export function toItemOptions(options: ProviderOptions | undefined): Fields {
  if (!options) return {}
  const { openai, ...others } = options
  const { phase, ...rest } = isObject(openai) ? openai : ({} as Fields)
  const kept = Object.keys(rest).length > 0 ? { ...others, openai: rest } : others
  return {
    ...(phase !== undefined && { phase }),
    ...(Object.keys(kept).length > 0 && { provider_options: kept }),
  }
}
