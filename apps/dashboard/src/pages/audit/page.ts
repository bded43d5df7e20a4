import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { appRoute } from '../../app-route.ts'
import { History } from '../../components/icons.tsx'
import { anyText, oneOf, readFilters } from '../../filters.ts'
import type { Page } from '../../page.ts'
import { timeRanges } from '../../ranges.ts'

export const auditRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/audit',
  validateSearch: readFilters({
    actor: anyText,
    action: anyText,
    outcome: anyText,
    target: anyText,
    range: oneOf(timeRanges),
    from: anyText,
    to: anyText,
    cursor: anyText,
  }),
  component: lazyRouteComponent(() => import('./audit.tsx'), 'AuditLog'),
})

/** An entry, over the list. */
export const auditEntryRoute = createRoute({
  getParentRoute: () => auditRoute,
  path: '$entryId',
  component: lazyRouteComponent(() => import('./audit.tsx'), 'OpenEntry'),
})

export const auditRoutes = auditRoute.addChildren([auditEntryRoute])

export const page: Page = {
  path: '/audit',
  title: 'Audit log',
  icon: History,
  section: 'Admin',
  order: 2,
  visibleTo: 'auditors',
}
