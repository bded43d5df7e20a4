const undocumented = [
  // The path of a proxy in tests.
  '/ai/',
  '/graphql/',
  '/auth/oidc/',
  '/docs/',
  '/dashboard/',
  '/openai/',
  '/anthropic/',
  // OpenAI's API.
  '/v1/chat/',
  '/v1/completions',
  '/v1/embeddings',
  '/v1/images/',
  '/v1/responses',
  // Anthropic's.
  '/v1/messages',
]

/** Images in the types that only OpenAI's clients ask for. */
const otherImages = /^\/images\/[^/]+\.(?:jpeg|webp|gif)$/

/** Whether a path of the service is not part of its OpenAPI document. */
export function isUndocumented(pathname: string): boolean {
  return (
    pathname === '/graphql' || otherImages.test(pathname) || undocumented.some((start) => pathname.startsWith(start))
  )
}
