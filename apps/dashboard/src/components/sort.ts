export interface Sort {
  /** The id of a column. */
  readonly column: string
  readonly descending: boolean
}

/** The rows by a value. Those without one are last in either direction. */
export function sortRows<Row>(
  rows: readonly Row[],
  valueOf: (row: Row) => string | number | null | undefined,
  descending: boolean,
): readonly Row[] {
  const sign = descending ? -1 : 1
  return rows.toSorted((one, other) => {
    const [a, b] = [valueOf(one), valueOf(other)]
    if (a == null || b == null) return a == null ? (b == null ? 0 : 1) : -1
    return sign * (typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b)))
  })
}

/** The `sort` parameter of the API for the time of creation, as the order of a table whose rows the service pages. */
export function createdOrder(
  sort: 'created_at' | '-created_at' | undefined,
  setFilters: (changes: { readonly sort: 'created_at' | undefined }) => void,
) {
  return {
    sort: { column: 'created', descending: sort !== 'created_at' },
    columns: ['created'],
    // Newest first is the default.
    onChange: ({ descending }: Sort) => setFilters({ sort: descending ? undefined : 'created_at' }),
  }
}
