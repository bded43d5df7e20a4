import { type AnyRoute, useNavigate } from '@tanstack/react-router'
import { useCallback } from 'react'

/** Reads one filter from its text in the URL. Undefined if the text is not valid. */
export type FilterReader<Value extends string> = (text: string) => Value | undefined

export const anyText: FilterReader<string> = (text) => (text === '' ? undefined : text)

export function oneOf<const Value extends string>(values: readonly Value[]): FilterReader<Value> {
  return (text) => values.find((value) => value === text)
}

type Readers = Readonly<Record<string, FilterReader<string>>>
type FiltersOf<Of extends Readers> = {
  readonly [Name in keyof Of]?: Of[Name] extends FilterReader<infer Value> ? Value | undefined : never
}

/**
 * The filters of a page as `validateSearch` of its route. A filter that is absent or not valid is undefined.
 *
 * @example
 *   validateSearch: readFilters({ status: oneOf(['active', 'revoked']), search: anyText, cursor: anyText })
 */
export function readFilters<const Of extends Readers>(
  readers: Of,
): (search: Readonly<Record<string, unknown>>) => FiltersOf<Of> {
  return (search) =>
    Object.fromEntries(
      Object.entries(readers).map(([name, read]) => {
        const text = search[name]
        return [name, typeof text === 'string' ? read(text) : undefined]
      }),
    ) as FiltersOf<Of>
}

/** The filters that a route and the routes above it declare with `validateSearch`. */
export type RouteFilters<Route extends AnyRoute> = Route['types']['fullSearchSchema']

/**
 * The filters of a page, kept in the URL so that they survive a reload and can be shared. Setting a filter goes back to the
 * first page of the list.
 *
 * @example
 *   const [filters, setFilters] = useFilters(requestsRoute)
 *
 * @param cursor the name of the filter that holds the cursor of the list
 */
export function useFilters<Route extends AnyRoute>(
  route: Route,
  cursor = 'cursor',
): readonly [RouteFilters<Route>, (changes: Partial<RouteFilters<Route>>) => void] {
  const navigate = useNavigate()
  const setFilters = useCallback(
    (changes: Partial<RouteFilters<Route>>) =>
      void navigate({
        to: '.',
        search: (before: object) => withoutEmpty({ ...before, [cursor]: undefined, ...changes }),
        replace: true,
        resetScroll: false,
      }),
    [navigate, cursor],
  )
  return [route.useSearch(), setFilters]
}

function withoutEmpty(search: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(search).filter((entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== ''),
  )
}

/** The options of a filter, and the one that a link chose, even if the service does not offer it anymore. */
export function withChosen(values: readonly string[], chosen: string | undefined) {
  return [...new Set([...values, ...(chosen === undefined ? [] : [chosen])])].map((value) => ({ value, label: value }))
}
