import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'

/** Reads one filter from its text in the URL. Undefined if the text is not valid. */
export type FilterReader<Value extends string> = (text: string) => Value | undefined

export const anyText: FilterReader<string> = (text) => (text === '' ? undefined : text)

export function oneOf<const Value extends string>(values: readonly Value[]): FilterReader<Value> {
  return (text) => values.find((value) => value === text)
}

type Readers = Readonly<Record<string, FilterReader<string>>>
type Filters<Of extends Readers> = {
  readonly [Name in keyof Of]: Of[Name] extends FilterReader<infer Value> ? Value | undefined : never
}

/**
 * The filters of a list, kept in the URL so that they survive a reload and can be shared. Setting a filter goes back to the
 * first page of the list.
 *
 * @example
 *   const [filters, setFilters] = useFilters({ status: oneOf(['active', 'revoked']), query: anyText, cursor: anyText })
 *
 * @param readers must be the same object on every render
 */
export function useFilters<const Of extends Readers>(
  readers: Of,
): readonly [Filters<Of>, (changes: Partial<Filters<Of>>) => void] {
  const search = useSearch({ strict: false }) as Readonly<Record<string, string | undefined>>
  const navigate = useNavigate()
  const filters = useMemo(
    () =>
      Object.fromEntries(
        Object.entries(readers).map(([name, read]) => [
          name,
          search[name] === undefined ? undefined : read(search[name]),
        ]),
      ) as Filters<Of>,
    [readers, search],
  )
  const setFilters = useCallback(
    (changes: Partial<Filters<Of>>) =>
      void navigate({
        to: '.',
        search: (before: object) => withoutEmpty({ ...before, cursor: undefined, ...changes }),
        replace: !('cursor' in changes),
        resetScroll: false,
      }),
    [navigate],
  )
  return [filters, setFilters]
}

function withoutEmpty(search: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(search).filter((entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== ''),
  )
}
