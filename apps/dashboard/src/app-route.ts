import { createRootRoute, createRoute, lazyRouteComponent, Outlet, redirect } from '@tanstack/react-router'
import { RouteError } from './layout/route-error.tsx'
import { mayHaveSession, session } from './session/browser-session.ts'
import { exchangeSignInLink, hasSignInToken } from './session/sign-in-link.ts'

export const rootRoute = createRootRoute({ component: Outlet, errorComponent: RouteError })

/** Pages for those who are signed in. */
export const appRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'app',
  component: lazyRouteComponent(() => import('./layout/app-layout.tsx'), 'AppLayout'),
  async beforeLoad({ location }): Promise<void> {
    // A link must not replace the session of another user unasked.
    if (hasSignInToken() && mayHaveSession()) {
      await session.start().catch(() => {})
      if (session.state.status === 'signed-in') throw redirect({ to: '/sign-in-link', search: { next: location.href } })
    }
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
