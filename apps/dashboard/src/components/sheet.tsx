import { Dialog as Base } from '@base-ui/react/dialog'
import type { ReactNode } from 'react'
import { IconButton } from './icon-button.tsx'
import { X } from './icons.tsx'
import { usePopupContainer } from './popup-container.tsx'

export interface SheetProps {
  readonly open: boolean
  onOpenChange(open: boolean): void
  readonly title: string
  readonly description?: ReactNode | undefined
  /** `lg` has room for tables and cards. Default: `md`. */
  readonly size?: 'md' | 'lg' | undefined
  /** Buttons above the content. */
  readonly actions?: ReactNode | undefined
  readonly children: ReactNode
}

/** The details of a row, at the right of the window. On a phone it covers the window. */
export function Sheet({ open, onOpenChange, title, description, size = 'md', actions, children }: SheetProps) {
  const container = usePopupContainer()
  return (
    <Base.Root open={open} onOpenChange={(next) => onOpenChange(next)}>
      <Base.Portal container={container}>
        <Base.Backdrop className="fixed inset-0 z-40 bg-backdrop" />
        <Base.Popup
          className={`fixed inset-y-0 right-0 z-50 flex w-full flex-col border-l border-line shadow-lg outline-none ${size === 'lg' ? 'bg-canvas lg:max-w-4xl' : 'bg-raised sm:max-w-lg'}`}
        >
          <div className="flex items-start justify-between gap-3 border-b border-line px-5 py-3.5">
            <div className="min-w-0">
              <Base.Title className="truncate text-base font-semibold">{title}</Base.Title>
              {description && <Base.Description className="text-xs text-muted">{description}</Base.Description>}
            </div>
            <div className="-mr-1.5 flex shrink-0 items-center gap-1">
              {actions}
              <Base.Close render={<IconButton icon={X} label="Close" size="sm" />} />
            </div>
          </div>
          <div className="flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto p-5">{children}</div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}
