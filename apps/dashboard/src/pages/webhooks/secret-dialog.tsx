import { useState } from 'react'
import type { components } from '../../api/schema.d.ts'
import { Button } from '../../components/button.tsx'
import { CodeBlock } from '../../components/code-block.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Tabs } from '../../components/tabs.tsx'
import { type Receiver, receiverSnippets } from './receiver-snippets.ts'

export interface SecretDialogProps {
  readonly title: string
  readonly description: string
  readonly webhook: components['schemas']['WebhookWithSecret']
  onClose(): void
}

/** A secret that is shown once, with receivers that verify deliveries with it. */
export function SecretDialog({ title, description, webhook, onClose }: SecretDialogProps) {
  const [receiver, setReceiver] = useState<Receiver>('express')
  return (
    <Dialog
      open
      size="lg"
      onOpenChange={onClose}
      title={title}
      description={description}
      footer={
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <CodeBlock label="signing secret" code={webhook.secret} wrap />
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
    </Dialog>
  )
}
