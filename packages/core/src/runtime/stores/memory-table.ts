import type { Position, RecordView, Slice } from '../schema/slice.ts'

/** How to undo each change of the transaction. */
export type UndoLog = (() => void)[]

/** Records in memory by their id, whose changes a transaction can roll back. */
export class MemoryTable<Value extends object | string | number | boolean> extends Map<string, Value> {
  readonly #undo: UndoLog

  constructor(undo: UndoLog) {
    super()
    this.#undo = undo
  }

  override set(key: string, value: Value): this {
    const before = this.get(key)
    this.#undo.push(() => void (before === undefined ? super.delete(key) : super.set(key, before)))
    return super.set(key, value)
  }

  override delete(key: string): boolean {
    const before = this.get(key)
    if (before !== undefined) this.#undo.push(() => void super.set(key, before))
    return super.delete(key)
  }

  /** The records with these ids, each once. */
  findMany(ids: readonly string[]): Value[] {
    return [...new Set(ids)].map((id) => this.get(id)).filter((value) => value !== undefined)
  }

  filter(matches: (value: Value) => boolean): Value[] {
    return [...this.values()].filter(matches)
  }

  /** Removes at most `limit` records older than `before`, the oldest first. Returns their ids. */
  purge(before: number, limit: number, timeOf: (value: Value) => number): readonly string[] {
    const purged = [...this]
      .filter(([, value]) => timeOf(value) < before)
      .sort(([, one], [, other]) => timeOf(one) - timeOf(other))
      .slice(0, limit)
      .map(([id]) => id)
    for (const id of purged) this.delete(id)
    return purged
  }
}

/** Reads the records of a table in memory. @param matches whether a record passes the filters */
export function recordView<Item extends Position, Filters extends object>(
  records: MemoryTable<Item>,
  matches: (item: Item, filters: Filters) => boolean = hasAll,
): RecordView<Item, Filters> {
  return {
    find: async (id) => records.get(id),
    findMany: async (ids) => records.findMany(ids),
    list: async (filters, slice) =>
      takeSlice(
        records.filter((item) => matches(item, filters)),
        slice,
      ),
  }
}

/** Whether a record has the value of each filter that is not undefined. */
export function hasAll(record: object, filters: object): boolean {
  return Object.entries(filters).every(
    ([name, value]) => value === undefined || record[name as keyof typeof record] === value,
  )
}

/** Selects a slice of records given in any order. */
export function takeSlice<Item extends Position>(records: readonly Item[], { first, after, limit }: Slice): Item[] {
  const compare = first === 'oldest' ? byPosition : (a: Position, b: Position) => byPosition(b, a)
  return records
    .filter((record) => after === undefined || compare(record, after) > 0)
    .sort(compare)
    .slice(0, limit)
}

function byPosition(a: Position, b: Position): number {
  if (a.createdAt !== b.createdAt) return a.createdAt - b.createdAt
  if (a.id === b.id) return 0
  return a.id < b.id ? -1 : 1
}
