import { Button } from '../../components/button.tsx'
import { CirclePause } from '../../components/icons.tsx'
import { type Webhook, webhookState } from './webhook.ts'

export interface DisabledNoteProps {
  readonly webhook: Webhook
  readonly enabling: boolean
  onEnable(): void
}

/** Why a webhook is disabled, and what to do. */
export function DisabledNote({ webhook, enabling, onEnable }: DisabledNoteProps) {
  const { reason } = webhookState(webhook)
  if (reason === undefined) return null
  return (
    <div
      role="status"
      className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-lg border border-warning/30 bg-warning-soft p-3 text-sm"
    >
      <CirclePause aria-hidden className="size-4 shrink-0 text-warning" />
      <p className="min-w-0 flex-1 basis-64">
        <span className="font-medium">This webhook is disabled.</span> {reason}
      </p>
      <Button size="sm" busy={enabling} onClick={onEnable}>
        Enable
      </Button>
    </div>
  )
}
