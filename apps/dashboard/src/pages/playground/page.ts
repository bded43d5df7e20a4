import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { appRoute } from '../../app-route.ts'
import { FlaskConical } from '../../components/icons.tsx'
import type { Page } from '../../page.ts'

export const playgroundRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/playground',
  // The parameters of a model are filters too, by their names on the wire.
  validateSearch: (search: Readonly<Record<string, string | undefined>>) => search,
  component: lazyRouteComponent(() => import('./playground.tsx'), 'Playground'),
})

export const page: Page = { path: '/playground', title: 'Playground', icon: FlaskConical, section: 'Build', order: 3 }
