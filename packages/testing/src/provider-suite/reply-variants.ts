import { type RecordedReply, replyPieces } from '../fakes/recorded-exchange.ts'

type Path = readonly string[]

/** A number, text, or other simple value in a recorded reply. */
export interface Leaf {
  readonly value: unknown
  /** The same reply with another value in this place. */
  with(value: unknown): RecordedReply
  /** For a leaf of a streamed reply: the index of its event, line, or item. */
  readonly index?: number
}

/** All simple values of a reply, in their order. */
export function findLeaves(reply: RecordedReply): readonly Leaf[] {
  return listValues(reply).flatMap(({ data, with: withData, index }) =>
    leafPaths(data).map((path) => ({
      value: valueAt(data, path),
      with: (value: unknown) => withData(replaced(data, path, value)),
      ...(index !== undefined && { index }),
    })),
  )
}

/** The JSON value of a whole reply, or of an event, a line, or an item. */
interface ReplyValue {
  readonly data: unknown
  with(data: unknown): RecordedReply
  readonly index?: number
}

function listValues(reply: RecordedReply): readonly ReplyValue[] {
  if (reply.json !== undefined) return [{ data: reply.json, with: (json) => ({ ...reply, json }) }]
  return (streamedValues(reply) ?? []).map((data, index) => ({
    data,
    with: (other) => withStreamed(reply, index, 1, [other]),
    index,
  }))
}

/** The values of a streamed reply; undefined for a whole one. */
export function streamedValues({ events, lines, array }: RecordedReply): readonly unknown[] | undefined {
  return events?.map(({ data }) => data) ?? lines ?? array
}

/** A streamed reply with some of its values replaced. */
export function withStreamed(
  reply: RecordedReply,
  start: number,
  count: number,
  datas: readonly unknown[],
): RecordedReply {
  const { events, lines, array } = reply
  if (lines) return { ...reply, lines: lines.toSpliced(start, count, ...datas) }
  if (array) return { ...reply, array: array.toSpliced(start, count, ...datas) }
  const name = events?.[start]?.event
  const others = datas.map((data) => ({ ...(name !== undefined && { event: name }), data }))
  return { ...reply, events: events!.toSpliced(start, count, ...others) }
}

/** The first half of a reply's body. */
export function firstHalf(reply: RecordedReply): Buffer {
  const whole = Buffer.concat(replyPieces(reply))
  return whole.subarray(0, whole.length / 2)
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
  for (const { data, with: withData } of distinctValues(reply)) {
    for (const wrong of wrongTypes(data, values)) yield withData(wrong)
  }
}

/** The values of a reply, without those that have the same fields as one before. */
function distinctValues(reply: RecordedReply): readonly ReplyValue[] {
  const shapes = new Set<string>()
  return listValues(reply).filter(({ data }) => {
    const shape = describeShape(data)
    if (shapes.has(shape)) return false
    shapes.add(shape)
    return true
  })
}

interface SparseReply {
  readonly path: Path
  readonly missing: RecordedReply
  readonly isNull: RecordedReply
}

/** Copies of a reply without one of its named fields, and with null in its place. Of several events with the same fields, only one. */
export function sparseReplies(reply: RecordedReply): readonly SparseReply[] {
  return distinctValues(reply).flatMap(({ data, with: withData }) =>
    allPaths(data)
      .filter((path) => path.length > 0 && !/^\d+$/.test(path.at(-1)!))
      .map((path) => ({
        path,
        missing: withData(replaced(data, path, undefined)),
        isNull: withData(replaced(data, path, null)),
      })),
  )
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

function allPaths(json: unknown): readonly Path[] {
  if (typeof json !== 'object' || json === null) return [[]]
  return [[], ...Object.entries(json).flatMap(([name, inner]) => allPaths(inner).map((path) => [name, ...path]))]
}

function leafPaths(json: unknown): readonly Path[] {
  return allPaths(json).filter((path) => typeof valueAt(json, path) !== 'object')
}

/** All lists in a JSON value, the outer ones first. */
export function findLists(
  json: unknown,
): readonly { readonly items: readonly unknown[]; with(items: readonly unknown[]): unknown }[] {
  return allPaths(json).flatMap((path) => {
    const items = valueAt(json, path)
    return Array.isArray(items) ? [{ items, with: (others) => replaced(json, path, others) }] : []
  })
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
