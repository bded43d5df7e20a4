import { type Change, resolve, type Schema } from './api-document.ts'

/** Values that clients can no longer send. */
export function narrowed({ before, after, documents }: Change<Schema>, path: string): readonly string[] {
  const [old, present] = [resolve(before, documents[0]), resolve(after, documents[1])]
  const members = Object.entries(old.properties ?? {}).flatMap(([name, member]) => {
    const counterpart = present.properties?.[name]
    if (!counterpart) return present.additionalProperties === false ? [`${path}.${name} is not taken`] : []
    return narrowed({ before: member, after: counterpart, documents }, `${path}.${name}`)
  })
  const demanded = (present.required ?? []).filter((name) => !old.required?.includes(name))
  const values = present.enum ? (old.enum ?? ['anything']).filter((value) => !present.enum?.includes(value)) : []
  return [
    ...otherKind(old, present, path),
    ...(old.nullable && !present.nullable ? [`${path} may not be null`] : []),
    ...values.map((value) => `${path} may not be ${String(value)}`),
    ...demanded.map((name) => `${path}.${name} is required`),
    ...[...upperBounds, ...lowerBounds, 'multipleOf', 'pattern', 'format', 'uniqueItems'].flatMap((keyword) =>
      isTighter(keyword, old[keyword], present[keyword]) ? [`${path} has a tighter ${keyword}`] : [],
    ),
    ...(isSame(old['default'], present['default']) ? [] : [`${path} has another default`]),
    ...members,
    ...(old.items && present.items
      ? narrowed({ before: old.items, after: present.items, documents }, `${path}[]`)
      : []),
  ]
}

const upperBounds = ['maximum', 'maxLength', 'maxItems', 'maxProperties']
const lowerBounds = ['minimum', 'minLength', 'minItems']

function isTighter(keyword: string, before: unknown, after: unknown): boolean {
  if (after === undefined || after === false) return false
  if (before === undefined) return true
  if (upperBounds.includes(keyword)) return Number(after) < Number(before)
  if (lowerBounds.includes(keyword)) return Number(after) > Number(before)
  if (keyword === 'multipleOf') return Number(before) % Number(after) !== 0
  return before !== after
}

/** An added default breaks nothing, because it documents existing behavior. */
function isSame(before: unknown, after: unknown): boolean {
  return before === undefined || JSON.stringify(before) === JSON.stringify(after)
}

/** Properties of responses that clients can no longer rely on. */
export function widened({ before, after, documents }: Change<Schema>, path: string): readonly string[] {
  const [old, present] = [resolve(before, documents[0]), resolve(after, documents[1])]
  const members = Object.entries(old.properties ?? {}).flatMap(([name, member]) => {
    const counterpart = present.properties?.[name]
    if (!counterpart) return [`${path}.${name} is gone`]
    const missing = old.required?.includes(name) && !present.required?.includes(name)
    return [
      ...(missing ? [`${path}.${name} may be missing`] : []),
      ...widened({ before: member, after: counterpart, documents }, `${path}.${name}`),
    ]
  })
  return [
    ...otherKind(old, present, path),
    ...(present.nullable && !old.nullable ? [`${path} may be null`] : []),
    ...members,
    ...(old.items && present.items ? widened({ before: old.items, after: present.items, documents }, `${path}[]`) : []),
  ]
}

function otherKind(before: Schema, after: Schema, path: string): readonly string[] {
  return before.type === after.type ? [] : [`${path} is ${after.type ?? 'anything'}, not ${before.type ?? 'anything'}`]
}
