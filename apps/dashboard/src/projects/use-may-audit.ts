import { useUser } from '../session/use-session.ts'
import { useCurrentProject } from './current-project.ts'
import { useProject } from './use-project.ts'

/**
 * Whether the user may read the audit log: of the service as its admin, and of a project as its admin or owner. Undefined while
 * the project loads.
 */
export function useMayAudit(): boolean | undefined {
  const { role } = useUser()
  const isInProject = useCurrentProject() !== undefined
  const project = useProject()
  if (!isInProject) return role === 'admin'
  return project && (project.role === 'admin' || project.role === 'owner')
}
