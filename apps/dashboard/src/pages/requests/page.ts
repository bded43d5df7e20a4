import { ScrollText } from 'lucide-react'
import type { Page } from '../../page.ts'

export const page: Page = {
  path: '/requests',
  title: 'Requests',
  icon: ScrollText,
  section: 'Monitor',
  order: 2,
  load: () => import('./requests.tsx').then(({ Requests }) => Requests),
}
