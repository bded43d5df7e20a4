import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { adminRoute } from '../../app-route.ts'
import { Server } from '../../components/icons.tsx'
import type { Page } from '../../page.ts'

export const providersRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/providers',
  component: lazyRouteComponent(() => import('./providers.tsx'), 'Providers'),
})

export const page: Page = {
  path: '/providers',
  title: 'Providers',
  icon: Server,
  section: 'Admin',
  order: 3,
  visibleTo: 'admins',
}
