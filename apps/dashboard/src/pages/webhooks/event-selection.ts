import { eventGroups, eventTypes, eventGroup } from '../../events/event-types.ts'

/** A webhook receives its test events whatever it selects, so this type is not offered. */
export const selectableTypes = eventTypes.filter(({ type }) => type !== 'webhook.test')

export function includesGroup(patterns: readonly string[], group: string): boolean {
  return patterns.includes('*') || patterns.includes(group)
}

export function includesType(patterns: readonly string[], type: string): boolean {
  return includesGroup(patterns, eventGroup(type)) || patterns.includes(type)
}

/** Adds a group in place of its types, or removes it and its types. */
export function toggleGroup(patterns: readonly string[], group: string): readonly string[] {
  const withoutAll = patterns.includes('*') ? eventGroups : patterns
  const others = withoutAll.filter((pattern) => pattern !== group && eventGroup(pattern) !== group)
  return includesGroup(patterns, group) ? others : [...others, group]
}

/** Adds a type, or removes it. The other types of its group stay selected. */
export function toggleType(patterns: readonly string[], type: string): readonly string[] {
  const group = eventGroup(type)
  if (!includesGroup(patterns, group)) {
    return patterns.includes(type) ? patterns.filter((pattern) => pattern !== type) : [...patterns, type]
  }
  const siblings = selectableTypes
    .map((each) => each.type)
    .filter((each) => each !== type && eventGroup(each) === group)
  return [...toggleGroup(patterns, group), ...siblings]
}
