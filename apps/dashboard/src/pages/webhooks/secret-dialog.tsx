import { useState } from 'react'
import type { components } from '../../api/schema.d.ts'
import { CodeBlock } from '../../components/code-block.tsx'
import { OneTimeSecretDialog } from '../../components/one-time-secret-dialog.tsx'
import { Tabs } from '../../components/tabs.tsx'
import { type Receiver, receiverSnippets } from './receiver-snippets.ts'

export interface SecretDialogProps {
  readonly title: string
  readonly description: string
  readonly webhook: components['schemas']['WebhookWithSecret']
  onClose(): void
}

/** The secret of a webhook, with receivers that verify deliveries with it. */
export function SecretDialog({ webhook, ...dialog }: SecretDialogProps) {
  const [receiver, setReceiver] = useState<Receiver>('express')
  return (
    <OneTimeSecretDialog label="signing secret" secret={webhook.secret} {...dialog}>
      <div>
        <h3 className="mb-1 text-sm font-medium">Receive events</h3>
        <Tabs
          label="Receiver"
          value={receiver}
          onChange={setReceiver}
          tabs={receiverSnippets(webhook).map(({ receiver: value, label, code }) => ({
            value,
            label,
            content: <CodeBlock label={`${label} receiver`} code={code} />,
          }))}
        />
      </div>
    </OneTimeSecretDialog>
  )
}
