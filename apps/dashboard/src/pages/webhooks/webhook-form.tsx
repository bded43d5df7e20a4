import { toApiError } from '../../api/api-error.ts'
import { Dialog } from '../../components/dialog.tsx'
import { FormFooter } from '../../components/form-footer.tsx'
import { TextField } from '../../components/field.tsx'
import { useIsAdmin } from '../../projects/current-project.ts'
import { EventPicker } from './event-picker.tsx'

export interface WebhookValues {
  readonly url: string
  readonly description: string
  readonly events: readonly string[]
  readonly allUsers: boolean
}

export interface WebhookFormProps {
  readonly title: string
  readonly values: WebhookValues
  onChange(values: WebhookValues): void
  /** The label of the button that saves. */
  readonly action: string
  readonly busy: boolean
  /** The error of the last attempt. */
  readonly error: unknown
  onSubmit(): void
  onClose(): void
}

/** A dialog with the fields of a webhook. */
export function WebhookForm({ title, values, onChange, action, busy, error, onSubmit, onClose }: WebhookFormProps) {
  const isAdmin = useIsAdmin()
  const issues: ReadonlyMap<string, string> = error ? toApiError(error).fields : new Map()
  const eventsIssue = [...issues].find(([field]) => field.startsWith('events'))?.[1]

  return (
    <Dialog
      open
      onOpenChange={onClose}
      onSubmit={onSubmit}
      size="lg"
      title={title}
      footer={
        <FormFooter action={action} busy={busy} error={error} onClose={onClose} disabled={values.events.length === 0} />
      }
    >
      <TextField
        label="URL"
        type="url"
        placeholder="https://example.com/webhooks"
        hint={`HTTPS at a public address. The operator of the service can allow private networks.${isAdmin ? ' For mail: mailto:ops@example.com' : ''}`}
        required
        maxLength={2048}
        value={values.url}
        error={issues.get('url')}
        onChange={(event) => onChange({ ...values, url: event.target.value })}
      />
      <TextField
        label="Description"
        hint="Optional. Shown in the list of webhooks."
        maxLength={256}
        value={values.description}
        error={issues.get('description')}
        onChange={(event) => onChange({ ...values, description: event.target.value })}
      />
      <EventPicker
        patterns={values.events}
        error={eventsIssue}
        onChange={(events) => onChange({ ...values, events })}
      />
      {isAdmin && (
        <label className="flex items-start gap-2.5 text-sm">
          <input
            type="checkbox"
            checked={values.allUsers}
            onChange={({ target }) => onChange({ ...values, allUsers: target.checked })}
            className="mt-0.5 size-4 shrink-0 accent-accent"
          />
          <span>
            Receive the events of all users
            <span className="block text-xs text-muted">
              Only admins can do this. Otherwise it receives only your own.
            </span>
          </span>
        </label>
      )}
    </Dialog>
  )
}
