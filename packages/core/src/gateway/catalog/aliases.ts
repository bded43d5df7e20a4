import type { RoutingOptions } from '../routing/route-options.ts'

/** Finds the id that an alias stands for: that of the alias itself, or of the first pattern that matches. */
export type FindAlias = (id: string) => string | undefined

/** `gpt-*` matches every id that begins with `gpt-`. */
export function aliasFinder(aliases: NonNullable<RoutingOptions['aliases']>): FindAlias {
  const patterns = Object.entries(aliases).filter(([alias]) => isPattern(alias))
  return (id) => (Object.hasOwn(aliases, id) ? aliases[id] : patterns.find(([pattern]) => matches(pattern, id))?.[1])
}

function isPattern(alias: string): boolean {
  return alias.includes('*')
}

function matches(pattern: string, id: string): boolean {
  const star = pattern.indexOf('*')
  const end = pattern.slice(star + 1)
  return id.length >= pattern.length - 1 && id.startsWith(pattern.slice(0, star)) && id.endsWith(end)
}
