import { Link } from '@tanstack/react-router'
import { api } from '../../api/client.ts'
import { useCurrentProject, useIsAdmin } from '../../projects/current-project.ts'
import type { NameOf } from './audit-entry.ts'

/** Those who may have an entry, as the filter lists them: the members of the project, or the newest 100 users. */
export function usePeople(): readonly { readonly id: string; readonly name: string }[] {
  const project = useCurrentProject()
  const inProject = project !== undefined
  const query = { limit: 100 }
  const users = api.useQuery('get', '/api/v1/users', { params: { query } }, { enabled: !inProject })
  const path = { project_id: project ?? '' }
  const members = api.useQuery(
    'get',
    '/projects/{project_id}/members',
    { params: { path, query } },
    { enabled: inProject },
  )
  const found = inProject ? members.data?.data.map(({ user_id, name }) => ({ id: user_id, name })) : users.data?.data
  return found ?? []
}

/** Finds the name of an actor. */
export function useActorName(): NameOf {
  const names = new Map(usePeople().map(({ id, name }) => [id, name]))
  return (actor) => {
    if (actor === null) return 'Unknown'
    if (actor === 'operator') return 'Operator'
    if (actor === 'service') return 'Service'
    return names.get(actor) ?? `…${actor.slice(-6)}`
  }
}

export interface ActorLinkProps {
  readonly actor: string | null
  readonly name: string
}

/** The actor, with a link to a user. */
export function ActorLink({ actor, name }: ActorLinkProps) {
  // Only admins see users, and an API key of a project acts as the project.
  if (!useIsAdmin() || !actor?.startsWith('usr_')) return <span>{name}</span>
  return (
    <Link
      to="/users/$userId"
      params={{ userId: actor }}
      className="truncate rounded-sm font-medium text-accent hover:underline"
    >
      {name}
    </Link>
  )
}
