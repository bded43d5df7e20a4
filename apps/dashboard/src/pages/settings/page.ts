import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { Settings } from 'lucide-react'
import { appRoute } from '../../app-route.ts'
import type { Page } from '../../page.ts'

export const settingsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/settings',
  component: lazyRouteComponent(() => import('./settings.tsx'), 'SettingsPage'),
})

export const page: Page = { path: '/settings', title: 'Settings', icon: Settings, section: 'Account', order: 1 }
