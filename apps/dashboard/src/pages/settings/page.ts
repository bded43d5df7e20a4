import { Settings } from 'lucide-react'
import type { Page } from '../../page.ts'

export const page: Page = {
  path: '/settings',
  title: 'Settings',
  icon: Settings,
  section: 'Account',
  order: 1,
  load: () => import('./settings.tsx').then(({ SettingsPage }) => SettingsPage),
}
