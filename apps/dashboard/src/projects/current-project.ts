import { useSyncExternalStore } from 'react'
import { queryClient } from '../api/query-client.ts'
import { serviceUrl } from '../home.ts'
import { recall, remember } from '../remembered.ts'
import { session } from '../session/browser-session.ts'
import { useUser } from '../session/use-session.ts'
import { isOfProject } from './is-of-project.ts'

const storageKey = 'fairlead-project'
const listeners = new Set<() => void>()

/** The ids of a user and a project, with a space between them: another user of the browser has chosen none. */
let chosen = recall(storageKey) ?? ''

/** The id of the project whose records the pages show. Undefined for the records of the user. */
function currentProject(): string | undefined {
  const [userId, projectId] = chosen.split(' ')
  return userId === session.state.user?.id ? projectId : undefined
}

export function useCurrentProject(): string | undefined {
  return useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, currentProject)
}

/** Shows the records of another project. @param projectId undefined: the records of the user */
export function switchProject(projectId: string | undefined): void {
  chosen = projectId === undefined ? '' : `${session.state.user?.id} ${projectId}`
  remember(storageKey, chosen)
  queryClient.removeQueries({ predicate: ({ queryKey: [, path] }) => isOfProject(String(path)) })
  for (const listener of listeners) listener()
}

/** Whether the pages show an admin the records of all users. In a project, they show only its records. */
export function useIsAdmin(): boolean {
  const { role } = useUser()
  return useCurrentProject() === undefined && role === 'admin'
}

const projectHeader = 'x-fairlead-project'

/** Names the current project in a request for records, unless the request names another one. */
export function forProject(request: Request): Request {
  const project = currentProject()
  const isNamed = request.headers.has(projectHeader)
  if (project !== undefined && !isNamed && isOfProject(request.url.slice(serviceUrl.length))) {
    request.headers.set(projectHeader, project)
  }
  return request
}
