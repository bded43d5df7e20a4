import type { Issue } from '@fairlead/core/provider'

/** What to tell of an answer that ended at its `maxTokens`, where thoughts that nobody sees took some of them. */
export function thoughtWarning(tokens: number): readonly Issue[] {
  if (tokens === 0) return []
  return [{ field: 'maxTokens', issue: `${tokens} of the tokens went into thoughts, which are not shown` }]
}
