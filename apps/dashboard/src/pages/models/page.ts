import { Boxes } from 'lucide-react'
import type { Page } from '../../page.ts'

export const page: Page = {
  path: '/models',
  title: 'Models',
  icon: Boxes,
  section: 'Build',
  order: 2,
  load: () => import('./models.tsx').then(({ Models }) => Models),
}
