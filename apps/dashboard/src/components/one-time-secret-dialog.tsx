import { type ReactNode, useState } from 'react'
import { Button } from './button.tsx'
import { CodeBlock } from './code-block.tsx'
import { Dialog } from './dialog.tsx'

export interface OneTimeSecretDialogProps {
  readonly title: string
  readonly description: string
  /** A name for the secret, such as `signing secret`. */
  readonly label: string
  readonly secret: string
  /** How to use it. */
  readonly children: ReactNode
  onClose(): void
}

/** Shows a secret, which cannot be shown again. Escape closes the dialog only after the secret was copied. */
export function OneTimeSecretDialog({
  title,
  description,
  label,
  secret,
  children,
  onClose,
}: OneTimeSecretDialogProps) {
  const [copied, setCopied] = useState(false)
  return (
    <Dialog
      open
      size="lg"
      onOpenChange={onClose}
      ignoresEscape={!copied}
      title={title}
      description={description}
      footer={
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <CodeBlock label={label} code={secret} wrap onCopy={() => setCopied(true)} />
      {children}
    </Dialog>
  )
}
