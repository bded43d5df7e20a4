import { Package } from 'lucide-react'
import type { Page } from '../../page.ts'

export const page: Page = {
  path: '/shipments',
  title: 'Shipments',
  icon: Package,
  section: 'Build',
  order: 6,
  load: () => import('./shipments.tsx').then(({ Shipments }) => Shipments),
}
