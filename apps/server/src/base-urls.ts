/** The bases of the APIs for clients of other services. */
export const openaiPath = '/openai/v1'
export const anthropicPath = '/anthropic'

const ofAnthropic = /\/messages(?:\/count_tokens)?$|^\/anthropic(?:\/.*)?\/models(?:\/[^/]+)?$/
const ofOpenai = /\/(?:chat\/completions|completions|responses|embeddings|images\/generations|models(?:\/[^/]+)?)$/

/** Names the base URL that was meant, for a path that ends like an API's. Clients add the rest to it themselves. */
export function baseUrlHint(path: string, baseUrl: string): string | undefined {
  const clean = path.replaceAll(/\/{2,}/g, '/').replace(/\/$/, '')
  if (ofAnthropic.test(clean)) return `For Anthropic's clients, the base URL is ${baseUrl}${anthropicPath}.`
  if (ofOpenai.test(clean)) return `For OpenAI's clients, the base URL is ${baseUrl}${openaiPath}.`
  return undefined
}
