import type { Issue } from '@fairlead/core/provider'

/** The warning of a response that reached `maxTokens` and spent some of its tokens on reasoning. */
export function reasoningWarning(tokens: number, { isEstimate = false } = {}): readonly Issue[] {
  if (tokens === 0) return []
  const count = isEstimate ? `about ${tokens}` : tokens
  return [{ field: 'maxTokens', issue: `${count} of the tokens were used for reasoning` }]
}
