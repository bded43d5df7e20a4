import { useState } from 'react'
import { api } from '../../api/client.ts'
import { Button } from '../../components/button.tsx'
import { QueryError } from '../../components/query-error.tsx'
import { LongList } from '../../components/long-list.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import type { ApiKey } from '../api-keys/api-key.ts'
import { describeLimits } from '../api-keys/key-limits.ts'
import { RevokeKeyDialog } from '../api-keys/revoke-key-dialog.tsx'

/** The active API keys of a user, which an admin can revoke. A user has at most 100. */
export function UserKeys({ id }: { readonly id: string }) {
  const [revoking, setRevoking] = useState<ApiKey>()
  const query = { user_id: id, status: 'active', limit: 100 } as const
  const keys = api.useQuery('get', '/api-keys', { params: { query } })
  const found = keys.data?.data
  return (
    <section className="border-t border-line pt-4">
      <h3 className="mb-2 text-sm font-semibold">API keys</h3>
      <QueryError query={keys} />
      {keys.isPending && <Skeleton className="mt-3 h-20 w-full" />}
      {found?.length === 0 && <p className="mt-0.5 text-xs text-muted">None is active.</p>}
      {found && found.length > 0 && (
        <LongList
          label="keys"
          items={found}
          textOf={({ name, prefix }) => `${name} ${prefix}`}
          className="divide-y divide-line"
        >
          {(key) => (
            <li key={key.id} className="flex items-center justify-between gap-4 py-2">
              <div className="min-w-0">
                <p className="truncate text-sm font-medium">{key.name}</p>
                <p className="text-xs text-muted">
                  <code className="font-mono">{key.prefix}…</code>
                  {', '}
                  {key.last_used_at === null ? (
                    'never used'
                  ) : (
                    <>
                      used <TimeAgo at={key.last_used_at} />
                    </>
                  )}
                  {key.expires_at !== null && (
                    <>
                      , expires <TimeAgo at={key.expires_at} />
                    </>
                  )}
                </p>
                {describeLimits(key).length > 0 && (
                  <p className="text-xs break-words text-muted">{describeLimits(key).join(' · ')}</p>
                )}
              </div>
              <Button size="sm" aria-label={`Revoke ${key.name}`} onClick={() => setRevoking(key)}>
                Revoke
              </Button>
            </li>
          )}
        </LongList>
      )}
      {revoking && <RevokeKeyDialog apiKey={revoking} onClose={() => setRevoking(undefined)} />}
    </section>
  )
}
