import { api } from '../api/client.ts'
import type { components } from '../api/schema.d.ts'
import { useCurrentProject } from './current-project.ts'

/** The project whose records the pages show. Undefined without one, and while it loads. */
export function useProject(): components['schemas']['Project'] | undefined {
  const id = useCurrentProject()
  const project = api.useQuery(
    'get',
    '/projects/{id}',
    { params: { path: { id: id ?? '' } } },
    { enabled: id !== undefined },
  )
  return project.data?.data
}
