import { createRoute, lazyRouteComponent, Outlet, redirect } from '@tanstack/react-router'
import { rootRoute } from '../app-route.ts'
import { anyText, oneOf, readFilters } from '../filters.ts'
import { session } from '../session/browser-session.ts'
import { hasSignInToken } from '../session/sign-in-link.ts'
import { type OidcRefusal, oidcRefusals } from './oidc-refusals.ts'

const refusals = Object.keys(oidcRefusals) as OidcRefusal[]

/** The page that was asked for first, whether a sign-in link was rejected, and why single sign-on was. */
const validateSearch = readFilters({ next: anyText, link: oneOf(['rejected']), sso: oneOf(refusals) })

/** Pages for those who are not signed in. */
export const guestRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'guest',
  component: Outlet,
  validateSearch,
  async beforeLoad({ search: { next = '/' } }): Promise<void> {
    // A failure to reach the service is shown when the form is sent.
    await session.start().catch(() => {})
    if (session.state.status !== 'signed-in') return
    // Only its path counts, so that a link cannot lead to another site.
    const { pathname, searchParams } = new URL(next, location.origin)
    throw redirect({ to: pathname, search: Object.fromEntries(searchParams) })
  },
})

const logInRoute = createRoute({
  getParentRoute: () => guestRoute,
  path: '/login',
  component: lazyRouteComponent(() => import('./log-in.tsx'), 'LogIn'),
})

const signUpRoute = createRoute({
  getParentRoute: () => guestRoute,
  path: '/signup',
  component: lazyRouteComponent(() => import('./sign-up.tsx'), 'SignUp'),
})

/** Asks before a link replaces the session of the user who is signed in. */
export const signInLinkRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in-link',
  validateSearch: readFilters({ next: anyText }),
  component: lazyRouteComponent(() => import('./sign-in-link.tsx'), 'SignInLink'),
  async beforeLoad(): Promise<void> {
    await session.start().catch(() => {})
    if (!hasSignInToken() || session.state.status !== 'signed-in') throw redirect({ to: '/' })
  },
})

export const guestRoutes = guestRoute.addChildren([logInRoute, signUpRoute])
