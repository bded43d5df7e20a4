import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { appRoute } from '../../app-route.ts'
import { FolderKanban } from '../../components/icons.tsx'
import { anyText, oneOf, readFilters } from '../../filters.ts'
import type { Page } from '../../page.ts'

export const projectsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/projects',
  validateSearch: readFilters({
    all: oneOf(['true']),
    sort: oneOf(['created_at', '-created_at']),
    cursor: anyText,
  }),
  component: lazyRouteComponent(() => import('./projects.tsx'), 'Projects'),
})

/** A project, over the list. */
export const projectRoute = createRoute({
  getParentRoute: () => projectsRoute,
  path: '$projectId',
  component: lazyRouteComponent(() => import('./projects.tsx'), 'OpenProject'),
})

export const projectRoutes = projectsRoute.addChildren([projectRoute])

export const page: Page = { path: '/projects', title: 'Projects', icon: FolderKanban, section: 'Account', order: 1 }
