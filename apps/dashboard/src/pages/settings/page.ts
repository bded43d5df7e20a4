import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { appRoute } from '../../app-route.ts'
import { Settings } from '../../components/icons.tsx'
import type { Page } from '../../page.ts'

export const settingsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/settings',
  component: lazyRouteComponent(() => import('./settings.tsx'), 'SettingsPage'),
})

export const page: Page = { path: '/settings', title: 'Settings', icon: Settings, section: 'Account', order: 2 }
