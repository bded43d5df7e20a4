import { pages } from '../pages.ts'
import type { Page } from '../page.ts'
import { useUser } from '../session/use-session.ts'

/** The pages that the user may open. */
export function useVisiblePages(): readonly Page[] {
  const { role } = useUser()
  return pages.filter(({ adminOnly = false }) => !adminOnly || role === 'admin')
}
