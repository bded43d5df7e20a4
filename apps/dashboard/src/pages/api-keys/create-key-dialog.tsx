import { useState } from 'react'
import { toApiError } from '../../api/api-error.ts'
import { api } from '../../api/client.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { Field, TextField } from '../../components/field.tsx'
import { Select } from '../../components/select.tsx'
import { reloadKeys, type Scope, scopes } from './api-key.ts'
import { NewSecret } from './new-secret.tsx'

const lifetimes = [
  { value: 'never', label: 'Never', days: undefined },
  { value: '7', label: 'In 7 days', days: 7 },
  { value: '30', label: 'In 30 days', days: 30 },
  { value: '90', label: 'In 90 days', days: 90 },
  { value: '365', label: 'In a year', days: 365 },
] as const
type Lifetime = (typeof lifetimes)[number]['value']

const dayMs = 86_400_000

/** Creates a key, then shows its secret once. */
export function CreateKeyDialog({ onClose }: { onClose(): void }) {
  const [name, setName] = useState('')
  const [granted, setGranted] = useState<readonly Scope[]>(['generate', 'analyze', 'models'])
  const [lifetime, setLifetime] = useState<Lifetime>('never')
  const create = api.useMutation('post', '/api-keys', { onSuccess: reloadKeys })
  const fields = create.error ? toApiError(create.error).fields : undefined

  function submit() {
    const days = lifetimes.find(({ value }) => value === lifetime)?.days
    const expires_at = days === undefined ? null : new Date(Date.now() + days * dayMs).toISOString()
    create.mutate({ body: { name, scopes: [...granted], expires_at } })
  }

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
      onSubmit={submit}
      title="Create an API key"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" busy={create.isPending} disabled={granted.length === 0}>
            Create key
          </Button>
        </>
      }
    >
      {create.error && fields?.size === 0 ? <ErrorPanel error={create.error} /> : null}
      <TextField
        label="Name"
        hint="Where the key is used, such as the name of a program."
        required
        maxLength={100}
        value={name}
        error={fields?.get('name')}
        onChange={(event) => setName(event.target.value)}
      />
      <fieldset className="flex flex-col gap-1.5">
        <legend className="mb-1.5 text-sm font-medium">Permissions</legend>
        <div className="grid grid-cols-1 gap-x-4 gap-y-2 sm:grid-cols-2">
          {scopes.map(({ value, label, hint }) => (
            <label key={value} className="flex items-start gap-2 text-sm">
              <input
                type="checkbox"
                checked={granted.includes(value)}
                onChange={({ target }) =>
                  setGranted(target.checked ? [...granted, value] : granted.filter((scope) => scope !== value))
                }
                className="mt-0.5 size-4 shrink-0 accent-accent"
              />
              <span>
                {label}
                <span className="block text-xs text-muted">{hint}</span>
              </span>
            </label>
          ))}
        </div>
        {fields?.has('scopes') && <p className="text-xs text-danger">Permissions: {fields.get('scopes')}</p>}
      </fieldset>
      <Field label="Expires" error={fields?.get('expires_at')}>
        {({ id }) => (
          <Select id={id} label="Expires" wide value={lifetime} options={lifetimes} onChange={setLifetime} />
        )}
      </Field>
    </Dialog>
  )
}
