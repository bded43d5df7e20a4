import { useState } from 'react'
import { api } from '../../api/client.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { reloadKeys } from './api-key.ts'
import { KeyForm } from './key-form.tsx'
import { emptyKey, toExpiry, toKeyBody } from './key-values.ts'
import { NewSecret } from './new-secret.tsx'

/** Creates a key, then shows its secret once. */
export function CreateKeyDialog({ onClose }: { onClose(): void }) {
  const [values, setValues] = useState(emptyKey)
  const create = api.useMutation('post', '/api-keys', { onSuccess: reloadKeys })

  if (create.data) {
    return (
      <NewSecret
        title="Copy your new key"
        description="This is the only time that the secret is shown. Store it in a safe place, such as the secret store of your platform."
        secret={create.data.data.secret}
        scopes={create.data.data.scopes}
        onClose={onClose}
      />
    )
  }

  return (
    <Dialog
      open
      onOpenChange={onClose}
      onSubmit={() => create.mutate({ body: { ...toKeyBody(values), ...toExpiry(values.lifetime, Date.now()) } })}
      title="Create an API key"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" busy={create.isPending} disabled={values.scopes.length === 0}>
            Create key
          </Button>
        </>
      }
    >
      <KeyForm values={values} onChange={setValues} error={create.error} />
    </Dialog>
  )
}
