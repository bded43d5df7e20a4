import { useState } from 'react'
import { api } from '../../api/client.ts'
import { queryClient } from '../../api/query-client.ts'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { QueryError } from '../../components/query-error.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import { toastSuccess } from '../../components/toast.tsx'
import { useUser } from '../../session/use-session.ts'

/** The passkeys of a user, which an admin can remove if the user has lost them. Nothing for a user without any. */
export function UserPasskeys({ id }: { readonly id: string }) {
  const own = useUser()
  const [removing, setRemoving] = useState(false)
  const passkeys = api.useQuery('get', '/auth/passkeys', { params: { query: { user_id: id } } })
  const remove = api.useMutation('delete', '/api/v1/users/{id}/passkeys', {
    onSuccess() {
      toastSuccess('Passkeys removed')
      setRemoving(false)
      void queryClient.invalidateQueries({ queryKey: ['get', '/auth/passkeys'] })
    },
  })
  const found = passkeys.data?.data ?? []
  if (found.length === 0 && !passkeys.error) return null
  return (
    <section className="border-t border-line pt-4">
      <div className="mb-2 flex items-center justify-between gap-4">
        <h3 className="text-sm font-semibold">Passkeys</h3>
        {found.length > 0 && own.id !== id && (
          <Button size="sm" onClick={() => setRemoving(true)}>
            Remove passkeys
          </Button>
        )}
      </div>
      <QueryError query={passkeys} />
      <ul className="divide-y divide-line">
        {found.map(({ id: passkey, name, last_used_at }) => (
          <li key={passkey} className="py-2">
            <p className="truncate text-sm font-medium">{name}</p>
            <p className="text-xs text-muted">
              {last_used_at === null ? (
                'never used'
              ) : (
                <>
                  used <TimeAgo at={last_used_at} />
                </>
              )}
            </p>
          </li>
        ))}
      </ul>
      <ConfirmDialog
        open={removing}
        onOpenChange={setRemoving}
        title="Remove the passkeys?"
        action="Remove passkeys"
        busy={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate({ params: { path: { id } } })}
      >
        For a user who has lost them. Their sessions end, and their password alone logs them in until they add another
        passkey.
      </ConfirmDialog>
    </section>
  )
}
