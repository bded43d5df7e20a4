import { useState } from 'react'
import { toApiError } from '../../api/api-error.ts'
import { api } from '../../api/client.ts'
import { queryClient } from '../../api/query-client.ts'
import type { components } from '../../api/schema.d.ts'
import { hasPasskeys } from '../../auth/passkey.ts'
import { signInMethods } from '../../auth/sign-in-methods.ts'
import { useAddPasskey } from '../../auth/use-add-passkey.ts'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { CurrentPasswordField } from '../../components/current-password-field.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { TextField } from '../../components/field.tsx'
import { FormError } from '../../components/form-error.tsx'
import { QueryError } from '../../components/query-error.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import { toastSuccess } from '../../components/toast.tsx'
import { useUser } from '../../session/use-session.ts'

type Passkey = components['schemas']['Passkey']

/** The passkeys of the user. */
export function PasskeysCard() {
  const passkeys = api.useQuery('get', '/auth/passkeys')
  const [adding, setAdding] = useState(false)
  const [renaming, setRenaming] = useState<Passkey>()
  const [removing, setRemoving] = useState<Passkey>()
  const found = passkeys.data?.data
  return (
    <Card
      title="Passkeys"
      description="Once you have one, your password alone is not enough to log in. The passkey alone is."
      actions={
        hasPasskeys && (
          <Button size="sm" onClick={() => setAdding(true)}>
            Add passkey
          </Button>
        )
      }
    >
      <QueryError query={passkeys} />
      {passkeys.isPending && <Skeleton className="h-10" />}
      {!hasPasskeys && (
        <p className="text-sm text-muted">
          {signInMethods.passkeys === location.origin ? (
            'This browser cannot create passkeys.'
          ) : (
            <>
              To add one, open the dashboard at <span className="break-all">{signInMethods.passkeys}</span>, to which
              passkeys belong.
            </>
          )}
        </p>
      )}
      {hasPasskeys && found?.length === 0 && <p className="text-sm text-muted">You have none yet.</p>}
      <ul className="flex flex-col divide-y divide-line">
        {found?.map((passkey) => (
          <li key={passkey.id} className="flex items-center justify-between gap-4 py-2.5 first:pt-0 last:pb-0">
            <div className="min-w-0 text-sm">
              <p className="flex items-center gap-2 font-medium">
                <span className="truncate">{passkey.name}</span>
                {passkey.is_backed_up && <Badge>Backed up</Badge>}
              </p>
              <p className="text-xs text-muted">
                Added <TimeAgo at={passkey.created_at} /> ·{' '}
                {passkey.last_used_at === null ? (
                  'Never used'
                ) : (
                  <>
                    Last used <TimeAgo at={passkey.last_used_at} />
                  </>
                )}
              </p>
            </div>
            <div className="flex shrink-0 gap-2">
              <Button size="sm" aria-label={`Rename ${passkey.name}`} onClick={() => setRenaming(passkey)}>
                Rename
              </Button>
              <Button size="sm" aria-label={`Remove ${passkey.name}`} onClick={() => setRemoving(passkey)}>
                Remove
              </Button>
            </div>
          </li>
        ))}
      </ul>
      {adding && <AddDialog isFirst={found?.length === 0} onClose={() => setAdding(false)} />}
      {renaming && <RenameDialog passkey={renaming} onClose={() => setRenaming(undefined)} />}
      {removing && (
        <RemoveDialog passkey={removing} isLast={found?.length === 1} onClose={() => setRemoving(undefined)} />
      )}
    </Card>
  )
}

function AddDialog({ isFirst, onClose }: { readonly isFirst: boolean; onClose(): void }) {
  const { email } = useUser()
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const add = useAddPasskey(() => finish('Passkey added', onClose))
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Add a passkey"
      description={
        isFirst
          ? 'Your browser then asks for a fingerprint, the lock of your device, or a security key. Your other sessions end.'
          : 'Your browser then asks for a fingerprint, the lock of your device, or a security key.'
      }
      onSubmit={() => add.mutate({ password, name: name === '' ? undefined : name })}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" busy={add.isPending}>
            Add passkey
          </Button>
        </>
      }
    >
      <FormError error={add.error} shown={['current_password', 'name']} />
      <CurrentPasswordField
        email={email}
        value={password}
        error={findIssue(add.error, 'current_password')}
        onChange={setPassword}
      />
      <TextField
        label="Name"
        hint="Such as the device. Leave it empty for the name of this browser."
        maxLength={100}
        value={name}
        error={findIssue(add.error, 'name')}
        onChange={(event) => setName(event.target.value)}
      />
    </Dialog>
  )
}

function RenameDialog({ passkey, onClose }: { readonly passkey: Passkey; onClose(): void }) {
  const [name, setName] = useState(passkey.name)
  const rename = api.useMutation('patch', '/auth/passkeys/{id}', {
    onSuccess: () => finish('Passkey renamed', onClose),
  })
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Rename the passkey"
      onSubmit={() => rename.mutate({ params: { path: { id: passkey.id } }, body: { name } })}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" busy={rename.isPending}>
            Rename
          </Button>
        </>
      }
    >
      <FormError error={rename.error} shown={['name']} />
      <TextField
        label="Name"
        required
        maxLength={100}
        value={name}
        error={findIssue(rename.error, 'name')}
        onChange={(event) => setName(event.target.value)}
      />
    </Dialog>
  )
}

interface RemoveDialogProps {
  readonly passkey: Passkey
  readonly isLast: boolean
  onClose(): void
}

function RemoveDialog({ passkey, isLast, onClose }: RemoveDialogProps) {
  const remove = api.useMutation('delete', '/auth/passkeys/{id}', {
    onSuccess: () => finish('Passkey removed', onClose),
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Remove ${passkey.name}?`}
      action="Remove passkey"
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ params: { path: { id: passkey.id } } })}
    >
      {isLast
        ? 'It is your last one: your password alone then logs you in.'
        : 'You can no longer log in with it. Your device may still offer it until you delete it there, too.'}
    </ConfirmDialog>
  )
}

function findIssue(error: unknown, field: string): string | undefined {
  return error ? toApiError(error).fields.get(field) : undefined
}

function finish(message: string, onClose: () => void): void {
  toastSuccess(message)
  void queryClient.invalidateQueries({ queryKey: ['get', '/auth/passkeys'] })
  onClose()
}
