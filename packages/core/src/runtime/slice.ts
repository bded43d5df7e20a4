/** A part of a list ordered by creation. */
export interface Slice {
  readonly first: 'oldest' | 'newest'
  /** The slice begins after this record. Default: at the beginning of the list. */
  readonly after?: Position
  /** Maximum number of records. */
  readonly limit: number
}

/** The position of a record in the order of creation. The id breaks ties within a millisecond. */
export interface Position {
  /** Milliseconds since the epoch. */
  readonly createdAt: number
  readonly id: string
}
