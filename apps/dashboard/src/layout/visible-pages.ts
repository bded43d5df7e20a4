import { pages } from '../pages.ts'
import type { Page } from '../page.ts'
import { useMayAudit } from '../projects/use-may-audit.ts'
import { useUser } from '../session/use-session.ts'

/** The pages that the user may open. */
export function useVisiblePages(): readonly Page[] {
  const isAdmin = useUser().role === 'admin'
  const mayAudit = useMayAudit() === true
  return pages.filter(({ visibleTo }) => visibleTo === undefined || (visibleTo === 'admins' ? isAdmin : mayAudit))
}
