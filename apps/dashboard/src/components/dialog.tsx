import { Dialog as Base } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { IconButton } from './icon-button.tsx'
import { usePopupContainer } from './popup-container.tsx'

export interface DialogProps {
  readonly open: boolean
  onOpenChange(open: boolean): void
  readonly title: string
  readonly description?: ReactNode | undefined
  /** Default: `md`. */
  readonly size?: 'md' | 'lg' | undefined
  readonly children?: ReactNode | undefined
  /** Buttons, the most important one last. */
  readonly footer?: ReactNode | undefined
}

/** A modal dialog. For a form, put `children` and `footer` in a `form` of the caller with `DialogBody` and `DialogFooter`. */
export function Dialog({ open, onOpenChange, title, description, size = 'md', children, footer }: DialogProps) {
  const container = usePopupContainer()
  return (
    <Base.Root open={open} onOpenChange={(next) => onOpenChange(next)}>
      <Base.Portal container={container}>
        <Base.Backdrop className="fixed inset-0 z-40 bg-backdrop" />
        <Base.Popup
          className={`fixed top-1/2 left-1/2 z-50 flex max-h-[calc(100dvh-2rem)] w-[calc(100vw-2rem)] -translate-x-1/2 -translate-y-1/2 flex-col rounded-xl border border-line bg-raised shadow-lg outline-none ${size === 'lg' ? 'max-w-2xl' : 'max-w-md'}`}
        >
          <div className="flex items-start justify-between gap-4 px-5 pt-4">
            <div className="flex flex-col gap-1">
              <Base.Title className="text-lg font-semibold">{title}</Base.Title>
              {description && <Base.Description className="text-sm text-muted">{description}</Base.Description>}
            </div>
            <Base.Close render={<IconButton icon={X} label="Close" size="sm" className="-mr-1.5" />} />
          </div>
          {children && <DialogBody>{children}</DialogBody>}
          {footer ? <DialogFooter>{footer}</DialogFooter> : <div className="h-5" />}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}

export function DialogBody({ children }: { readonly children: ReactNode }) {
  return <div className="flex flex-col gap-4 overflow-y-auto px-5 pt-4">{children}</div>
}

export function DialogFooter({ children }: { readonly children: ReactNode }) {
  return <div className="flex flex-wrap justify-end gap-2 px-5 pt-5 pb-5">{children}</div>
}
