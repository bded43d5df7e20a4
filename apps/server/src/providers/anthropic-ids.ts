import type { ProviderEntry } from '@fairlead/core'

/** The ids of the providers that speak Anthropic's API: the usual one, and those that the configuration gives. */
export function anthropicIds(entries: readonly ProviderEntry[] = []): readonly string[] {
  const given = entries.flatMap((entry) =>
    typeof entry === 'object' && 'use' in entry && entry.use === 'anthropic' && typeof entry['id'] === 'string'
      ? [entry['id']]
      : [],
  )
  return [...new Set(['anthropic', ...given])]
}
