import { KeyRound } from 'lucide-react'
import type { Page } from '../../page.ts'

export const page: Page = {
  path: '/api-keys',
  title: 'API keys',
  icon: KeyRound,
  section: 'Build',
  order: 1,
  load: () => import('./api-keys.tsx').then(({ ApiKeys }) => ApiKeys),
}
