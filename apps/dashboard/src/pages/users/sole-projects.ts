import { api } from '../../api/client.ts'
import type { Project } from '../projects/project.ts'

const maxNamed = 100

export interface SoleProjects {
  /** Undefined until they are loaded. */
  readonly projects: readonly Project[] | undefined
  readonly hasMore: boolean
  /** The error of loading them. */
  readonly error: unknown
}

/** The projects whose only active owner a user is. They stop while the user is suspended. */
export function useSoleProjects(userId: string): SoleProjects {
  const query = { user_id: userId, sole_owner: true, limit: maxNamed }
  const { data, error } = api.useQuery('get', '/projects', { params: { query } })
  return { projects: data?.data, hasMore: data?.meta.page.has_more ?? false, error }
}

export function formatNames({ projects = [], hasMore }: SoleProjects): string {
  return [...projects.map(({ name }) => name), ...(hasMore ? ['and more'] : [])].join(', ')
}
