import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { appRoute } from '../../app-route.ts'
import { Activity } from '../../components/icons.tsx'
import { anyText, readFilters } from '../../filters.ts'
import type { Page } from '../../page.ts'

export const activityRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/activity',
  validateSearch: readFilters({ type: anyText, resource: anyText, user: anyText, cursor: anyText }),
  component: lazyRouteComponent(() => import('./activity.tsx'), 'Activity'),
})

/** An event, over the list. */
export const eventRoute = createRoute({
  getParentRoute: () => activityRoute,
  path: '$eventId',
  component: lazyRouteComponent(() => import('./activity.tsx'), 'OpenEvent'),
})

export const activityRoutes = activityRoute.addChildren([eventRoute])

export const page: Page = { path: '/activity', title: 'Activity', icon: Activity, section: 'Monitor', order: 3 }
