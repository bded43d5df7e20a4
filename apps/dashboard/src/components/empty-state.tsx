import type { ReactNode } from 'react'
import type { IconComponent } from './icons.tsx'

export interface EmptyStateProps {
  readonly icon: IconComponent
  readonly title: string
  /** The next step. */
  readonly children: ReactNode
  readonly action?: ReactNode | undefined
}

export function EmptyState({ icon: Icon, title, children, action }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center gap-3 px-6 py-14 text-center">
      <div className="rounded-lg border border-line bg-surface p-2.5 shadow-sm">
        <Icon aria-hidden className="size-5 text-muted" />
      </div>
      <div className="max-w-sm">
        <p className="text-sm font-semibold">{title}</p>
        <p className="mt-1 text-sm text-muted">{children}</p>
      </div>
      {action}
    </div>
  )
}
