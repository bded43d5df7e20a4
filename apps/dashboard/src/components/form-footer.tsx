import { Button } from './button.tsx'
import { ErrorPanel } from './error-panel.tsx'

export interface FormFooterProps {
  /** The label of the button that submits the form. */
  readonly action: string
  readonly busy: boolean
  readonly disabled?: boolean | undefined
  /** The error of submitting the form. Default: the form shows it. */
  readonly error?: unknown
  onClose(): void
}

/** The error and the buttons of a dialog with a form. */
export function FormFooter({ action, busy, disabled, error, onClose }: FormFooterProps) {
  return (
    <>
      {error ? (
        <div className="max-h-56 w-full overflow-y-auto">
          <ErrorPanel error={error} />
        </div>
      ) : null}
      <Button onClick={onClose}>Cancel</Button>
      <Button type="submit" variant="primary" busy={busy} disabled={disabled}>
        {action}
      </Button>
    </>
  )
}
