import { createBrowserHistory, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { adminRoute, appRoute, rootRoute } from './app-route.ts'
import { guestRoutes, signInLinkRoute } from './auth/guest-routes.ts'
import { home } from './home.ts'
import { Loading } from './layout/loading.tsx'
import { RouteError } from './layout/route-error.tsx'
import { activityRoutes } from './pages/activity/page.ts'
import { apiKeyRoutes } from './pages/api-keys/page.ts'
import { auditRoutes } from './pages/audit/page.ts'
import { modelsRoute } from './pages/models/page.ts'
import { overviewRoute } from './pages/overview/page.ts'
import { playgroundRoute } from './pages/playground/page.ts'
import { projectRoutes } from './pages/projects/page.ts'
import { providersRoute } from './pages/providers/page.ts'
import { requestRoutes } from './pages/requests/page.ts'
import { settingsRoute } from './pages/settings/page.ts'
import { shipmentRoutes } from './pages/shipments/page.ts'
import { userRoutes } from './pages/users/page.ts'
import { webhookRoutes } from './pages/webhooks/page.ts'

const notFoundRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '$',
  component: lazyRouteComponent(() => import('./layout/not-found.tsx'), 'NotFound'),
})

const routeTree = rootRoute.addChildren([
  appRoute.addChildren([
    overviewRoute,
    requestRoutes,
    activityRoutes,
    apiKeyRoutes,
    modelsRoute,
    playgroundRoute,
    webhookRoutes,
    shipmentRoutes,
    adminRoute.addChildren([userRoutes, providersRoute]),
    auditRoutes,
    projectRoutes,
    settingsRoute,
    notFoundRoute,
  ]),
  guestRoutes,
  signInLinkRoute,
])

export const router = createRouter({
  routeTree,
  basepath: home.pathname.replace(/\/$/, ''),
  history: createBrowserHistory(),
  defaultPendingComponent: Loading,
  defaultPendingMs: 200,
  // The default is half a second, in which a page that has loaded waits.
  defaultPendingMinMs: 0,
  defaultErrorComponent: RouteError,
  scrollRestoration: true,
  // A link that keeps the filters keeps only the filters of its route, so that a list does not get a record's.
  search: { strict: true },
  // Filters are plain texts in the URL.
  parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
  stringifySearch(search) {
    const entries = Object.entries(search).filter(([, value]) => value !== undefined)
    const text = new URLSearchParams(entries.map(([name, value]) => [name, String(value)])).toString()
    return text === '' ? '' : `?${text}`
  },
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
