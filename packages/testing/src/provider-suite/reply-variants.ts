import type { RecordedReply } from '../fakes/recorded-exchange.ts'

type Path = readonly string[]

/** A number, text, or other simple value in a recorded reply. */
export interface Leaf {
  readonly value: unknown
  /** The same reply with another value in this place. */
  with(value: unknown): RecordedReply
  /** For a leaf of an event: the event's index. */
  readonly index?: number
}

/** All simple values of a reply, in their order. */
export function findLeaves(reply: RecordedReply): readonly Leaf[] {
  const leaves = leafPaths(reply.json).map((path) => ({
    value: valueAt(reply.json, path),
    with: (value: unknown) => ({ ...reply, json: replaced(reply.json, path, value) }),
  }))
  const ofEvents = (reply.events ?? []).flatMap((event, index) =>
    leafPaths(event.data).map((path) => ({
      value: valueAt(event.data, path),
      with: (value: unknown) => withEvent(reply, index, replaced(event.data, path, value)),
      index,
    })),
  )
  return [...(reply.json === undefined ? [] : leaves), ...ofEvents]
}

/** The longest text of a reply that is part of this content. */
export function contentLeaf(reply: RecordedReply, content: string): (Leaf & { readonly value: string }) | undefined {
  const candidates = findLeaves(reply).filter(({ value }) => typeof value === 'string' && value.trim() !== '')
  const parts = (candidates as (Leaf & { readonly value: string })[]).filter(({ value }) => content.includes(value))
  return parts.sort((one, other) => other.value.length - one.value.length)[0]
}

/**
 * A copy of a reply in which the text of a tool's input, or the last piece of it, lacks its last brace. Undefined if the
 * reply has the input as an object.
 */
export function withBrokenInput(reply: RecordedReply, input: object): RecordedReply | undefined {
  const json = withoutSpace(JSON.stringify(input))
  let broken: RecordedReply | undefined
  // The end of a stream may repeat the text.
  for (;;) {
    const leaf = findLeaves(broken ?? reply).find((each) => isEndOf(json, each.value))
    if (!leaf) return broken
    broken = leaf.with((leaf.value as string).trimEnd().slice(0, -1))
  }
}

function isEndOf(json: string, value: unknown): boolean {
  return typeof value === 'string' && value.trimEnd().endsWith('}') && json.endsWith(withoutSpace(value))
}

function withoutSpace(text: string): string {
  return text.replaceAll(/\s/g, '')
}

const wrongValues: readonly unknown[] = [null, 7, 'x', [], {}]

/** Copies of a reply, each with one value of another type or without it. Of several events with the same fields, only one. */
export function* wrongReplies(
  reply: RecordedReply,
  values: readonly unknown[] = wrongValues,
): Generator<RecordedReply, void, undefined> {
  for (const json of reply.json === undefined ? [] : wrongTypes(reply.json, values)) yield { ...reply, json }
  const shapes = new Set<string>()
  for (const [index, { data }] of (reply.events ?? []).entries()) {
    const shape = describeShape(data)
    if (shapes.has(shape)) continue
    shapes.add(shape)
    for (const wrong of wrongTypes(data, values)) yield withEvent(reply, index, wrong)
  }
}

interface SparseReply {
  readonly path: Path
  readonly missing: RecordedReply
  readonly isNull: RecordedReply
}

/** Copies of a reply without one of its named fields, and with null in its place. Of several events with the same fields, only one. */
export function sparseReplies(reply: RecordedReply): readonly SparseReply[] {
  const sparse = (json: unknown, withJson: (json: unknown) => RecordedReply): readonly SparseReply[] =>
    allPaths(json)
      .filter((path) => path.length > 0 && !/^\d+$/.test(path.at(-1)!))
      .map((path) => ({
        path,
        missing: withJson(replaced(json, path, undefined)),
        isNull: withJson(replaced(json, path, null)),
      }))
  const shapes = new Set<string>()
  const ofEvents = (reply.events ?? []).flatMap(({ data }, index) => {
    const shape = describeShape(data)
    if (shapes.has(shape)) return []
    shapes.add(shape)
    return sparse(data, (json) => withEvent(reply, index, json))
  })
  const ofWhole = reply.json === undefined ? [] : sparse(reply.json, (json) => ({ ...reply, json }))
  return [...ofWhole, ...ofEvents]
}

function* wrongTypes(json: unknown, values: readonly unknown[]): Generator<unknown, void, undefined> {
  for (const path of allPaths(json)) {
    for (const value of values) yield replaced(json, path, value)
    if (path.length > 0) yield replaced(json, path, undefined)
  }
}

/** The fields of an event, and the values of those that say what it is. */
function describeShape(data: unknown): string {
  return JSON.stringify(
    allPaths(data).map((path) => {
      const value = valueAt(data, path)
      return [path, typeof value, path.at(-1) === 'type' && value]
    }),
  )
}

function withEvent(reply: RecordedReply, index: number, data: unknown): RecordedReply {
  const { event } = reply.events![index]!
  return { ...reply, events: reply.events!.with(index, { ...(event === undefined ? {} : { event }), data }) }
}

function allPaths(json: unknown): readonly Path[] {
  if (typeof json !== 'object' || json === null) return [[]]
  return [[], ...Object.entries(json).flatMap(([name, inner]) => allPaths(inner).map((path) => [name, ...path]))]
}

function leafPaths(json: unknown): readonly Path[] {
  return allPaths(json).filter((path) => typeof valueAt(json, path) !== 'object')
}

function valueAt(json: unknown, path: Path): unknown {
  return path.reduce((value, name) => (value as Record<string, unknown>)[name], json)
}

function replaced(json: unknown, [name, ...rest]: Path, value: unknown): unknown {
  if (name === undefined) return value
  const copy: Record<string, unknown> | unknown[] = Array.isArray(json) ? [...json] : { ...(json as object) }
  Object.assign(copy, { [name]: replaced((json as Record<string, unknown>)[name], rest, value) })
  return copy
}
