import { Link } from '@tanstack/react-router'
import { api } from '../../api/client.ts'
import type { NameOf } from './audit-entry.ts'

/** Finds the name of a user among the newest 100, as the filter has them. */
export function useActorName(): NameOf {
  const users = api.useQuery('get', '/api/v1/users', { params: { query: { limit: 100 } } }).data?.data
  const names = new Map(users?.map(({ id, name }) => [id, name]))
  return (actor) => {
    if (actor === null) return 'Unknown'
    if (actor === 'operator') return 'Operator'
    return names.get(actor) ?? `…${actor.slice(-6)}`
  }
}

export interface ActorLinkProps {
  readonly actor: string | null
  readonly name: string
}

/** Who did it, with a link to a user. */
export function ActorLink({ actor, name }: ActorLinkProps) {
  if (actor === null || actor === 'operator') return <span>{name}</span>
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
