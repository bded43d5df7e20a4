import { useState } from 'react'
import { api } from '../../api/client.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { Field } from '../../components/field.tsx'
import { Select } from '../../components/select.tsx'
import { type ApiKey, reloadKeys } from './api-key.ts'
import { NewSecret } from './new-secret.tsx'

const graces = [
  { value: '0', label: 'Stops working now' },
  { value: '3600', label: 'Works for another hour' },
  { value: '86400', label: 'Works for another day' },
  { value: '604800', label: 'Works for another 7 days' },
] as const
type Grace = (typeof graces)[number]['value']

/** Gives a key a new secret, then shows it once. */
export function RotateKeyDialog({ apiKey, onClose }: { readonly apiKey: ApiKey; onClose(): void }) {
  const [grace, setGrace] = useState<Grace>('86400')
  const rotate = api.useMutation('post', '/api-keys/{id}/rotate', { onSuccess: reloadKeys })

  if (rotate.data) {
    return (
      <NewSecret
        title="Copy the new secret"
        description="This is the only time that it is shown. The key keeps its id, permissions, and quota."
        secret={rotate.data.data.secret}
        scopes={rotate.data.data.scopes}
        onClose={onClose}
      />
    )
  }

  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`Rotate the secret of “${apiKey.name}”`}
      description="The key gets a new secret. Choose how long the current one keeps working, so that you can replace it in your programs."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="primary"
            busy={rotate.isPending}
            onClick={() =>
              rotate.mutate({ params: { path: { id: apiKey.id } }, body: { grace_seconds: Number(grace) } })
            }
          >
            Rotate secret
          </Button>
        </>
      }
    >
      {rotate.error ? <ErrorPanel error={rotate.error} /> : null}
      <Field label="Current secret">
        {({ id }) => <Select id={id} label="Current secret" wide value={grace} options={graces} onChange={setGrace} />}
      </Field>
    </Dialog>
  )
}
