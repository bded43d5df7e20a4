/** How a store reads its records: by id, and slice by slice with filters. */
export interface RecordView<Item, Filters> {
  find(id: string): Promise<Item | undefined>
  /** Finds the records with these ids in one query. Ids without a record are skipped. The order is undefined. */
  findMany(ids: readonly string[]): Promise<readonly Item[]>
  /** Lists one slice. The cost does not grow with the distance from the start of the list. */
  list(filters: Filters, slice: Slice): Promise<readonly Item[]>
}

/** A part of a list ordered by creation. */
export interface Slice {
  readonly first: 'oldest' | 'newest'
  /** The slice begins after this record. Default: at the beginning of the list. */
  readonly after?: Position
  readonly limit: number
}

/** The position of a record in the order of creation. The id breaks ties within a millisecond. */
export interface Position {
  /** Milliseconds since the epoch. */
  readonly createdAt: number
  readonly id: string
}
