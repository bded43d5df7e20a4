import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { adminRoute } from '../../app-route.ts'
import { Users } from '../../components/icons.tsx'
import { anyText, oneOf, readFilters } from '../../filters.ts'
import type { Page } from '../../page.ts'
import { roles, tiers } from './user.ts'

export const usersRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/users',
  validateSearch: readFilters({
    email: anyText,
    role: oneOf(roles),
    tier: oneOf(tiers),
    sort: oneOf(['created_at', '-created_at']),
    cursor: anyText,
  }),
  component: lazyRouteComponent(() => import('./users.tsx'), 'Users'),
})

/** A user, over the list. */
export const userRoute = createRoute({
  getParentRoute: () => usersRoute,
  path: '$userId',
  component: lazyRouteComponent(() => import('./users.tsx'), 'OpenUser'),
})

export const userRoutes = usersRoute.addChildren([userRoute])

export const page: Page = {
  path: '/users',
  title: 'Users',
  icon: Users,
  section: 'Admin',
  order: 1,
  visibleTo: 'admins',
}
