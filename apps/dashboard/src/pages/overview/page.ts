import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { appRoute } from '../../app-route.ts'
import { ChartNoAxesColumn } from '../../components/icons.tsx'
import { anyText, oneOf, readFilters } from '../../filters.ts'
import type { Page } from '../../page.ts'
import { ranges, readDay } from '../../ranges.ts'

export const requestSplits = ['model', 'operation', 'outcome'] as const
export const latencies = ['response', 'first-token'] as const

export const overviewRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/',
  validateSearch: readFilters({
    range: oneOf(ranges),
    from: readDay,
    to: readDay,
    zone: oneOf(['local', 'utc']),
    split: oneOf(requestSplits),
    latency: oneOf(latencies),
    user: anyText,
    tag: anyText,
  }),
  component: lazyRouteComponent(() => import('./overview.tsx'), 'Overview'),
})

export const page: Page = { path: '/', title: 'Overview', icon: ChartNoAxesColumn, section: 'Monitor', order: 1 }
