import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { SecretDialog } from './secret-dialog.tsx'
import { WebhookForm, type WebhookValues } from './webhook-form.tsx'
import { reloadWebhooks } from './webhook.ts'

const empty: WebhookValues = { url: '', description: '', events: ['*'], allUsers: false }

/** Creates a webhook, then shows its secret once and opens it. */
export function CreateWebhookDialog({ onClose }: { onClose(): void }) {
  const [values, setValues] = useState(empty)
  const navigate = useNavigate()
  const create = api.useMutation('post', '/webhooks', { onSuccess: () => void reloadWebhooks() })
  const created = create.data?.data

  if (created) {
    return (
      <SecretDialog
        title="Copy the signing secret"
        description="This is the only time that it is shown. Your receiver needs it to verify deliveries."
        webhook={created}
        onClose={() => {
          onClose()
          void navigate({
            to: '/webhooks/$webhookId',
            params: { webhookId: created.id },
            search: true,
            resetScroll: false,
          })
        }}
      />
    )
  }

  return (
    <WebhookForm
      title="Create a webhook"
      values={values}
      onChange={setValues}
      action="Create webhook"
      busy={create.isPending}
      error={create.error}
      onClose={onClose}
      onSubmit={() =>
        create.mutate({
          body: {
            url: values.url,
            description: values.description || null,
            events: [...values.events],
            all_users: values.allUsers,
          },
        })
      }
    />
  )
}
