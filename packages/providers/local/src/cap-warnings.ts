import type { Issue } from '@fairlead/core/provider'

/** How many warnings of one kind an answer names; a long prompt could bring thousands. */
const maxNamed = 20

/** The first warnings of a kind, and one that says how many more there are. */
export function capWarnings(warnings: readonly Issue[]): readonly Issue[] {
  const more = warnings.length - maxNamed
  if (more <= 0) return warnings
  const field = warnings[0]?.field ?? null
  return [...warnings.slice(0, maxNamed), { field, issue: `${more} more warnings like these are not shown` }]
}
