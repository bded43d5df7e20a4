import { useState } from 'react'
import { api } from '../../api/client.ts'
import { toastSuccess } from '../../components/toast.tsx'
import { WebhookForm, type WebhookValues } from './webhook-form.tsx'
import { reloadWebhooks, type WebhookDialogProps } from './webhook.ts'

export function EditWebhookDialog({ webhook, onClose }: WebhookDialogProps) {
  const [values, setValues] = useState<WebhookValues>({
    url: webhook.url,
    description: webhook.description ?? '',
    events: webhook.events,
    allUsers: webhook.all_users,
  })
  const save = api.useMutation('put', '/webhooks/{id}', {
    async onSuccess() {
      await reloadWebhooks()
      toastSuccess('Webhook saved')
      onClose()
    },
  })

  return (
    <WebhookForm
      title="Edit the webhook"
      values={values}
      onChange={setValues}
      action="Save"
      busy={save.isPending}
      error={save.error}
      onClose={onClose}
      onSubmit={() =>
        save.mutate({
          params: { path: { id: webhook.id } },
          body: {
            url: values.url,
            description: values.description || null,
            events: [...values.events],
            all_users: values.allUsers,
            // The service rejects the change if someone else has changed the webhook meanwhile.
            updated_at: webhook.updated_at,
          },
        })
      }
    />
  )
}
