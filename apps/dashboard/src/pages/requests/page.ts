import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { appRoute } from '../../app-route.ts'
import { ScrollText } from '../../components/icons.tsx'
import { anyText, oneOf, readFilters } from '../../filters.ts'
import type { Page } from '../../page.ts'
import { timeRanges } from '../../ranges.ts'

export const requestsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/requests',
  validateSearch: readFilters({
    id: anyText,
    key: anyText,
    model: anyText,
    operation: anyText,
    status: anyText,
    charged: oneOf(['true', 'false']),
    user: anyText,
    /** A tag, such as `team` or `team=shop`. */
    tag: anyText,
    range: oneOf(timeRanges),
    from: anyText,
    to: anyText,
    cursor: anyText,
  }),
  component: lazyRouteComponent(() => import('./requests.tsx'), 'Requests'),
})

/** A request, over the list. */
export const requestRoute = createRoute({
  getParentRoute: () => requestsRoute,
  path: '$requestId',
  component: lazyRouteComponent(() => import('./requests.tsx'), 'OpenRequest'),
})

export const requestRoutes = requestsRoute.addChildren([requestRoute])

export const page: Page = { path: '/requests', title: 'Requests', icon: ScrollText, section: 'Monitor', order: 2 }
