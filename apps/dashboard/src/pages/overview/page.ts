import { ChartNoAxesColumn } from 'lucide-react'
import type { Page } from '../../page.ts'

export const page: Page = {
  path: '/',
  title: 'Overview',
  icon: ChartNoAxesColumn,
  section: 'Monitor',
  order: 1,
  load: () => import('./overview.tsx').then(({ Overview }) => Overview),
}
