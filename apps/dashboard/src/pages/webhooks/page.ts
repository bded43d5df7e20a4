import { Webhook } from 'lucide-react'
import type { Page } from '../../page.ts'

export const page: Page = {
  path: '/webhooks',
  title: 'Webhooks',
  icon: Webhook,
  section: 'Build',
  order: 5,
  load: () => import('./webhooks.tsx').then(({ Webhooks }) => Webhooks),
}
