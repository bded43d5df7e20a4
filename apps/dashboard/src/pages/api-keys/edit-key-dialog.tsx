import { useState } from 'react'
import { api } from '../../api/client.ts'
import { findChanges } from '../../find-changes.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { toastSuccess } from '../../components/toast.tsx'
import { formatDateTime } from '../../format.ts'
import { useCurrentProject } from '../../projects/current-project.ts'
import { useUser } from '../../session/use-session.ts'
import { monthlyQuota } from '../users/user.ts'
import { type ApiKey, reloadKeys } from './api-key.ts'
import { KeyForm } from './key-form.tsx'
import { toExpiry, toKeyValues, toKeyBody } from './key-values.ts'

/** Changes the name, the permissions, the expiry, and the limits of a key. */
export function EditKeyDialog({ apiKey, onClose }: { readonly apiKey: ApiKey; onClose(): void }) {
  const me = useUser()
  const isOfProject = useCurrentProject() !== undefined
  const owner = { tier: apiKey.tier, quota_limit: isOfProject ? null : me.quota_limit }
  const [before] = useState(toKeyValues(apiKey, monthlyQuota(owner)))
  const [values, setValues] = useState(before)
  const save = api.useMutation('patch', '/api-keys/{id}', {
    onSuccess({ data }) {
      reloadKeys()
      toastSuccess(`“${data.name}” was changed`)
      onClose()
    },
  })
  const { id, expires_at } = apiKey
  const kept = expires_at === null ? 'Unchanged: never' : `Unchanged: ${formatDateTime(expires_at)}`
  return (
    <Dialog
      open
      onOpenChange={onClose}
      onSubmit={() =>
        save.mutate({
          params: { path: { id } },
          body: { ...findChanges(toKeyBody(before), toKeyBody(values)), ...toExpiry(values.lifetime, Date.now()) },
        })
      }
      title={`Edit “${apiKey.name}”`}
      description="Changes apply to the next request. The secret stays."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" busy={save.isPending} disabled={values.scopes.length === 0}>
            Save
          </Button>
        </>
      }
    >
      <KeyForm values={values} onChange={setValues} error={save.error} keptLifetime={{ value: 'keep', label: kept }} />
    </Dialog>
  )
}
