import { createRootRoute, createRoute, lazyRouteComponent, Outlet, redirect } from '@tanstack/react-router'
import { RouteError } from './layout/route-error.tsx'
import { session } from './session/browser-session.ts'
import { exchangeSignInLink } from './session/sign-in-link.ts'

export const rootRoute = createRootRoute({ component: Outlet, errorComponent: RouteError })

/** Pages for those who are signed in. */
export const appRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'app',
  component: lazyRouteComponent(() => import('./layout/app-layout.tsx'), 'AppLayout'),
  async beforeLoad({ location }): Promise<void> {
    if (!(await exchangeSignInLink())) throw redirect({ to: '/login', search: { link: 'rejected' } })
    await session.start()
    if (session.state.status === 'signed-out') throw redirect({ to: '/login', search: { next: location.href } })
  },
})

/** Pages for admins. Members get the not-found page, and no request is sent. */
export const adminRoute = createRoute({
  getParentRoute: () => appRoute,
  id: 'admin',
  component: lazyRouteComponent(() => import('./layout/admin-only.tsx'), 'AdminOnly'),
})
