import { Users } from 'lucide-react'
import type { Page } from '../../page.ts'

export const page: Page = {
  path: '/users',
  title: 'Users',
  icon: Users,
  section: 'Admin',
  order: 1,
  adminOnly: true,
  load: () => import('./users.tsx').then((module) => module.Users),
}
