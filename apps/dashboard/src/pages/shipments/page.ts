import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { appRoute } from '../../app-route.ts'
import { Package } from '../../components/icons.tsx'
import { anyText, oneOf, readFilters } from '../../filters.ts'
import type { Page } from '../../page.ts'
import { shipmentStatuses } from './shipment.ts'

export const shipmentsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/shipments',
  validateSearch: readFilters({
    status: oneOf(shipmentStatuses),
    reference: anyText,
    carrier: anyText,
    created: oneOf(['24h', '7d', '30d']),
    sort: oneOf(['created_at', '-created_at']),
    cursor: anyText,
  }),
  component: lazyRouteComponent(() => import('./shipments.tsx'), 'ShipmentList'),
})

/** A shipment, over the list. */
export const shipmentRoute = createRoute({
  getParentRoute: () => shipmentsRoute,
  path: '$shipmentId',
  component: lazyRouteComponent(() => import('./shipments.tsx'), 'ShipmentDetail'),
})

export const shipmentRoutes = shipmentsRoute.addChildren([shipmentRoute])

export const page: Page = { path: '/shipments', title: 'Shipments', icon: Package, section: 'Build', order: 6 }
