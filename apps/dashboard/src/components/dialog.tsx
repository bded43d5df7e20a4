import { Dialog as Base } from '@base-ui/react/dialog'
import { type FormEvent, type ReactNode, useRef } from 'react'
import { IconButton } from './icon-button.tsx'
import { X } from './icons.tsx'
import { usePopupContainer } from './popup-container.tsx'

export interface DialogProps {
  readonly open: boolean
  /** Undefined if only its buttons close it. */
  readonly onOpenChange?: ((open: boolean) => void) | undefined
  readonly title: string
  readonly description?: ReactNode | undefined
  /** Default: `md`. */
  readonly size?: 'md' | 'lg' | undefined
  readonly children?: ReactNode | undefined
  /** Buttons, the most important one last. */
  readonly footer?: ReactNode | undefined
  /** Whether only its buttons close it, not Escape. Default: false. */
  readonly ignoresEscape?: boolean | undefined
  /** Makes the dialog a form, which a button of the type `submit` in the footer sends. */
  readonly onSubmit?: (() => void) | undefined
}

const fields = 'input:not([aria-hidden], [hidden]), textarea, [role=combobox]'

/** A modal dialog. The focus starts in the first field of a form, or at the first button of other content, such as to copy. */
export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  size = 'md',
  children,
  footer,
  ignoresEscape = false,
  onSubmit,
}: DialogProps) {
  const container = usePopupContainer()
  const body = useRef<HTMLDivElement>(null)
  const content = (
    <>
      {children && (
        <div ref={body} className="flex flex-col gap-4 overflow-y-auto px-5 pt-4 pb-1">
          {children}
        </div>
      )}
      {footer ? <div className="flex flex-wrap justify-end gap-2 p-5 pt-4">{footer}</div> : <div className="h-5" />}
    </>
  )
  function submit(event: FormEvent) {
    event.preventDefault()
    onSubmit?.()
  }
  return (
    // A click beside a form or a new secret must not lose it.
    <Base.Root
      open={open}
      onOpenChange={(next, { reason }) => {
        if (!ignoresEscape || reason !== 'escape-key') onOpenChange?.(next)
      }}
      disablePointerDismissal
    >
      <Base.Portal container={container}>
        <Base.Backdrop className="fixed inset-0 z-50 bg-backdrop" />
        <Base.Popup
          // A field would open the keyboard of a phone over the dialog.
          initialFocus={(type) =>
            (type !== 'touch' && body.current?.querySelector<HTMLElement>(onSubmit ? fields : 'button')) || true
          }
          className={`fixed top-1/2 left-1/2 z-50 flex max-h-[calc(100dvh-2rem)] w-[calc(100vw-2rem)] -translate-x-1/2 -translate-y-1/2 flex-col rounded-xl border border-line bg-raised shadow-lg outline-none ${size === 'lg' ? 'max-w-2xl' : 'max-w-md'}`}
        >
          <div className="flex items-start justify-between gap-4 px-5 pt-4">
            <div className="flex flex-col gap-1">
              <Base.Title className="text-lg font-semibold">{title}</Base.Title>
              {description && <Base.Description className="text-sm text-muted">{description}</Base.Description>}
            </div>
            {onOpenChange && (
              <Base.Close render={<IconButton icon={X} label="Close" size="sm" className="-mr-1.5" />} />
            )}
          </div>
          {onSubmit ? (
            <form onSubmit={submit} className="flex min-h-0 flex-col">
              {content}
            </form>
          ) : (
            content
          )}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}
