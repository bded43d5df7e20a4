import { FlaskConical } from 'lucide-react'
import type { Page } from '../../page.ts'

export const page: Page = {
  path: '/playground',
  title: 'Playground',
  icon: FlaskConical,
  section: 'Build',
  order: 3,
  load: () => import('./playground.tsx').then(({ Playground }) => Playground),
}
