import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { ErrorPanel } from './error-panel.tsx'

export interface ConfirmDialogProps {
  readonly open: boolean
  onOpenChange(open: boolean): void
  readonly title: string
  /** The consequences. */
  readonly children: ReactNode
  /** Choices to make before confirming. Default: none. */
  readonly extra?: ReactNode
  /** The label of the button that acts, such as `Revoke key`. */
  readonly action: string
  readonly busy: boolean
  /** The error of the last attempt. */
  readonly error: unknown
  onConfirm(): void
}

/** Asks before an action that cannot be undone. */
export function ConfirmDialog({
  open,
  onOpenChange,
  title,
  children,
  extra,
  action,
  busy,
  error,
  onConfirm,
}: ConfirmDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={title}
      description={children}
      footer={
        <>
          <Button onClick={() => onOpenChange(false)}>Cancel</Button>
          <Button variant="danger" busy={busy} onClick={onConfirm}>
            {action}
          </Button>
        </>
      }
    >
      {extra || error ? (
        <>
          {extra}
          {error ? <ErrorPanel error={error} /> : undefined}
        </>
      ) : undefined}
    </Dialog>
  )
}
