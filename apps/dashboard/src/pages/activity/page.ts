import { Activity } from 'lucide-react'
import type { Page } from '../../page.ts'

export const page: Page = {
  path: '/activity',
  title: 'Activity',
  icon: Activity,
  section: 'Monitor',
  order: 3,
  load: () => import('./activity.tsx').then((module) => module.Activity),
}
