import type { RouteFilters } from '../../filters.ts'
import type { auditRoute } from './page.ts'

/** The filters as the API takes them. */
export function filterQuery({ actor, action, outcome, target, from, to }: RouteFilters<typeof auditRoute>) {
  return { actor, action, outcome, target, created_after: from, created_before: to }
}

/**
 * The page of the list that the URL names. A page that opens an entry of it finds it there, without another request.
 */
export function pageQuery(filters: RouteFilters<typeof auditRoute>) {
  return { limit: 50, cursor: filters.cursor, ...filterQuery(filters) }
}
