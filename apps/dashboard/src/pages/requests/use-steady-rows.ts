import { useState } from 'react'

export interface SteadyRows<Row> {
  readonly rows: readonly Row[] | undefined
  /** The number of rows that are new and not shown yet. */
  readonly waiting: number
  /** Shows them. */
  showLatest(): void
}

/**
 * Keeps the rows of a list as they are while a reader points at one, and else shows the latest.
 *
 * @param list identifies the list: the rows of another list are always shown
 */
export function useSteadyRows<Row extends { readonly id: string }>(
  latest: readonly Row[] | undefined,
  list: string | undefined,
  isHeld: boolean,
): SteadyRows<Row> {
  const [shown, setShown] = useState({ rows: latest, list })
  const follows = !isHeld || list === undefined || shown.list !== list || !shown.rows
  if (follows && (shown.rows !== latest || shown.list !== list)) setShown({ rows: latest, list })
  const rows = follows ? latest : shown.rows
  const known = new Set(rows?.map(({ id }) => id))
  return {
    rows,
    waiting: follows ? 0 : (latest?.filter(({ id }) => !known.has(id)).length ?? 0),
    showLatest: () => setShown({ rows: latest, list }),
  }
}
