import { Server } from 'lucide-react'
import type { Page } from '../../page.ts'

export const page: Page = {
  path: '/providers',
  title: 'Providers',
  icon: Server,
  section: 'Admin',
  order: 2,
  adminOnly: true,
  load: () => import('./providers.tsx').then(({ Providers }) => Providers),
}
