/** A printed type: an interface of fields, or the text of another type. */
export interface PrintedType {
  readonly head: string
  readonly fields?: Fields
  /** The fields without `readonly`; absent for an output, and if that would change their types. */
  readonly mutable?: Fields | undefined
  readonly alias?: string
}

/** The text of each field, by name. */
export type Fields = ReadonlyMap<string, string>

/** The printed types of a file, by name. */
export type PrintedTypes = Map<string, PrintedType>

/** The declarations of types, by name. One that has the fields of another extends it. */
export function printTypes(types: PrintedTypes): ReadonlyMap<string, string> {
  return new Map(
    [...types].map(([name, type]) => {
      const { head, fields } = type
      const other = sameType(name, type, types) ?? type.alias
      if (!fields || other !== undefined) return [name, `${head}export type ${name} = ${other}`]
      const base = printBase(name, fields, types)
      const own = [...fields].filter(([field]) => !base?.shared.includes(field)).map(([, text]) => text)
      return [name, `${head}export interface ${name} ${base ? `extends ${base.type} ` : ''}{\n${own.join('\n')}\n}`]
    }),
  )
}

/** An earlier type with the same fields, or the output that the input differs from only by being readonly. */
function sameType(name: string, { fields, mutable }: PrintedType, types: PrintedTypes): string | undefined {
  if (!fields) return undefined
  const output = name.replace(/Input$/, '')
  if (mutable && isEqual(types.get(output)?.fields, mutable)) return `Readonly<${output}>`
  const names = [...types.keys()]
  return names.slice(0, names.indexOf(name)).find((other) => isEqual(types.get(other)?.fields, fields))
}

function isEqual(some: Fields | undefined, other: Fields): boolean {
  return some?.size === other.size && [...some].every(([field, text]) => other.get(field) === text)
}

/** Fewer shared fields are a coincidence, unless they are a whole type. */
const minShared = 3
/** Of a type all of whose fields are shared: one field alone, such as an id, does not make a type a kind of another. */
const minInherited = 2
/** So many fields are worth their names in a `Pick`, although the type has more than one other field. */
const minPicked = 5

/** The earlier type that shares the most fields with a type, and these fields. */
function printBase(name: string, fields: Fields, types: PrintedTypes) {
  const all = [...types]
  const earlier = all.slice(
    0,
    all.findIndex(([other]) => other === name),
  )
  const bases = earlier.flatMap(([other, base]) => {
    if (!base.fields || sameType(other, base, types) !== undefined) return []
    const theirs = [...base.fields]
    const shared = theirs.filter(([field, text]) => fields.get(field) === text).map(([field]) => field)
    const omitted = theirs.map(([field]) => field).filter((field) => !shared.includes(field))
    if (shared.length < (omitted.length === 0 ? minInherited : minShared)) return []
    const isMost = shared.length >= fields.size - 1 || shared.length >= minPicked
    const type = printPart(other, { shared, omitted, isMost })
    return type === undefined ? [] : [{ type, shared, omitted }]
  })
  return bases.toSorted((a, b) => b.shared.length - a.shared.length || a.omitted.length - b.omitted.length)[0]
}

function printPart(
  name: string,
  {
    shared,
    omitted,
    isMost,
  }: { readonly shared: readonly string[]; readonly omitted: readonly string[]; readonly isMost: boolean },
): string | undefined {
  if (omitted.length === 0) return name
  if (omitted.length === 1) return `Omit<${name}, ${keys(omitted)}>`
  return isMost ? `Pick<${name}, ${keys(shared)}>` : undefined
}

function keys(fields: readonly string[]): string {
  return fields.map((field) => `'${field}'`).join(' | ')
}
