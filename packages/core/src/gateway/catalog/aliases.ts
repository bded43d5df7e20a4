import type { RoutingOptions } from '../routing/route-options.ts'

/** What an id is an alias of. */
export interface FoundAlias {
  /** The id of a model or route. */
  readonly id: string
  /** Whether a pattern such as `gpt-*` matched, and not the alias itself. */
  readonly byPattern: boolean
}

/** Finds what an id stands for: by the alias itself, or by the first pattern that matches. */
export type FindAlias = (id: string) => FoundAlias | undefined

/** `gpt-*` matches every id that begins with `gpt-`. */
export function aliasFinder(aliases: NonNullable<RoutingOptions['aliases']>): FindAlias {
  const patterns = Object.entries(aliases).filter(([alias]) => isPattern(alias))
  return (id) => {
    if (Object.hasOwn(aliases, id)) return { id: aliases[id]!, byPattern: false }
    const found = patterns.find(([pattern]) => matches(pattern, id))
    return found && { id: found[1], byPattern: true }
  }
}

function isPattern(alias: string): boolean {
  return alias.includes('*')
}

function matches(pattern: string, id: string): boolean {
  const star = pattern.indexOf('*')
  const end = pattern.slice(star + 1)
  return id.length >= pattern.length - 1 && id.startsWith(pattern.slice(0, star)) && id.endsWith(end)
}
