import { api } from '../../api/client.ts'
import { queryClient } from '../../api/query-client.ts'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { QueryError } from '../../components/query-error.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import { toastError, toastSuccess } from '../../components/toast.tsx'
import { session } from '../../session/browser-session.ts'

export function SessionsCard() {
  const sessions = api.useQuery('get', '/sessions')
  const end = api.useMutation('delete', '/sessions/{id}', {
    onSuccess() {
      toastSuccess('Session ended')
      void queryClient.invalidateQueries({ queryKey: ['get', '/sessions'] })
    },
    onError: (error) => toastError('The session could not be ended', error),
  })

  return (
    <Card title="Sessions" description="The browsers in which you are logged in.">
      <QueryError query={sessions} />
      {sessions.isPending && <Skeleton className="h-10" />}
      <ul className="flex flex-col divide-y divide-line">
        {sessions.data?.data.map(({ id, current, user_agent, address, created_at, last_used_at }) => (
          <li key={id} className="flex items-center justify-between gap-4 py-2.5 first:pt-0 last:pb-0">
            <div className="text-sm">
              <p className="flex items-center gap-2 font-medium">
                <span>{user_agent ?? 'Unknown browser'}</span>
                {current && <Badge tone="success">This browser</Badge>}
              </p>
              <p className="text-xs text-muted">
                {address !== null && <>From {address} · </>}
                Last used <TimeAgo at={last_used_at} /> · Logged in <TimeAgo at={created_at} />
              </p>
            </div>
            {current ? (
              <Button
                size="sm"
                onClick={() => void session.signOut().catch((error) => toastError('Log-out failed', error))}
              >
                Log out
              </Button>
            ) : (
              <Button
                size="sm"
                busy={end.isPending && end.variables.params.path.id === id}
                onClick={() => end.mutate({ params: { path: { id } } })}
              >
                End session
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}
