import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { appRoute } from '../../app-route.ts'
import { Webhook } from '../../components/icons.tsx'
import { anyText, oneOf, readFilters } from '../../filters.ts'
import type { Page } from '../../page.ts'

export const webhooksRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/webhooks',
  validateSearch: readFilters({
    enabled: oneOf(['true', 'false']),
    sort: oneOf(['created_at', '-created_at']),
    cursor: anyText,
  }),
  component: lazyRouteComponent(() => import('./webhooks.tsx'), 'WebhookList'),
})

/** A webhook with its deliveries, over the list. */
export const webhookRoute = createRoute({
  getParentRoute: () => webhooksRoute,
  path: '$webhookId',
  validateSearch: readFilters({
    delivery_status: oneOf(['pending', 'delivered', 'failed']),
    event: anyText,
    deliveries_cursor: anyText,
  }),
  component: lazyRouteComponent(() => import('./webhooks.tsx'), 'WebhookDetail'),
})

/** A delivery, over its webhook. */
export const deliveryRoute = createRoute({
  getParentRoute: () => webhookRoute,
  path: 'deliveries/$deliveryId',
  component: lazyRouteComponent(() => import('./webhooks.tsx'), 'DeliverySheet'),
})

export const webhookRoutes = webhooksRoute.addChildren([webhookRoute.addChildren([deliveryRoute])])

export const page: Page = { path: '/webhooks', title: 'Webhooks', icon: Webhook, section: 'Build', order: 5 }
