import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { appRoute } from '../../app-route.ts'
import { Boxes } from '../../components/icons.tsx'
import { anyText, oneOf, readFilters } from '../../filters.ts'
import type { Page } from '../../page.ts'

export const capabilities = [
  'chat',
  'tools',
  'vision',
  'structured',
  'reasoning',
  'embedding',
  'streaming',
  'seed',
] as const

export const modelsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/models',
  validateSearch: readFilters({
    query: anyText,
    type: oneOf(['text', 'image']),
    provider: anyText,
    capability: oneOf(capabilities),
  }),
  component: lazyRouteComponent(() => import('./models.tsx'), 'Models'),
})

export const page: Page = { path: '/models', title: 'Models', icon: Boxes, section: 'Build', order: 2 }
