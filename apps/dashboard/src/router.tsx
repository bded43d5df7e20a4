import {
  createBrowserHistory,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import { home } from './home.ts'
import { Loading } from './layout/loading.tsx'
import { RouteError } from './layout/route-error.tsx'
import { pages } from './pages.ts'
import { session } from './session/browser-session.ts'
import { exchangeSignInLink } from './session/sign-in-link.ts'

const rootRoute = createRootRoute({ component: Outlet, errorComponent: RouteError })

const loadLayout = () => import('./layout/app-layout.tsx')

/** Pages for those who are signed in. */
const appRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'app',
  component: lazyRouteComponent(loadLayout, 'AppLayout'),
  async beforeLoad({ location }) {
    // Most visitors have a session: the scripts load while the service is asked.
    void loadLayout()
    void pages.find(({ path }) => path === location.pathname)?.load()
    if (!(await exchangeSignInLink())) throw redirect({ to: '/login', search: { link: 'rejected' } })
    await session.start()
    if (session.state.status !== 'signed-in') throw redirect({ to: '/login', search: { next: location.href } })
  },
})

/** Pages for those who are not. */
const guestRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'guest',
  component: Outlet,
  async beforeLoad({ search }) {
    // A failure to reach the service is shown when the form is sent.
    await session.start().catch(() => {})
    const { next = '/' } = search as { readonly next?: string }
    if (session.state.status !== 'signed-in') return
    // Only its path counts, so that a link cannot lead to another site.
    const { pathname, searchParams } = new URL(next, location.origin)
    throw redirect({ to: pathname, search: Object.fromEntries(searchParams) })
  },
})

const routeTree = rootRoute.addChildren([
  appRoute.addChildren([
    ...pages.map(({ path, load }) =>
      createRoute({
        getParentRoute: () => appRoute,
        path,
        component: lazyRouteComponent(async () => ({ default: await load() })),
      }),
    ),
    createRoute({
      getParentRoute: () => appRoute,
      path: '$',
      component: lazyRouteComponent(() => import('./layout/not-found.tsx'), 'NotFound'),
    }),
  ]),
  guestRoute.addChildren([
    createRoute({
      getParentRoute: () => guestRoute,
      path: '/login',
      component: lazyRouteComponent(() => import('./auth/log-in.tsx'), 'LogIn'),
    }),
    createRoute({
      getParentRoute: () => guestRoute,
      path: '/signup',
      component: lazyRouteComponent(() => import('./auth/sign-up.tsx'), 'SignUp'),
    }),
  ]),
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
  // Filters are plain texts in the URL.
  parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
  stringifySearch(search) {
    const entries = Object.entries(search).filter(([, value]) => value !== undefined)
    const text = new URLSearchParams(entries.map(([name, value]) => [name, String(value)])).toString()
    return text === '' ? '' : `?${text}`
  },
})
