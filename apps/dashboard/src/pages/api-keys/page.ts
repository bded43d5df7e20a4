import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { appRoute } from '../../app-route.ts'
import { KeyRound } from '../../components/icons.tsx'
import { anyText, oneOf, readFilters } from '../../filters.ts'
import type { Page } from '../../page.ts'

export const apiKeysRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/api-keys',
  validateSearch: readFilters({
    search: anyText,
    status: oneOf(['active', 'expired', 'revoked', 'any']),
    sort: oneOf(['created_at', '-created_at']),
    cursor: anyText,
  }),
  component: lazyRouteComponent(() => import('./api-keys.tsx'), 'ApiKeys'),
})

/** A key, over the list. */
export const apiKeyRoute = createRoute({
  getParentRoute: () => apiKeysRoute,
  path: '$keyId',
  component: lazyRouteComponent(() => import('./api-keys.tsx'), 'OpenKey'),
})

export const apiKeyRoutes = apiKeysRoute.addChildren([apiKeyRoute])

export const page: Page = { path: '/api-keys', title: 'API keys', icon: KeyRound, section: 'Build', order: 1 }
