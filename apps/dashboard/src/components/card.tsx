import type { ReactNode } from 'react'

export interface CardProps {
  readonly title?: string | undefined
  readonly description?: ReactNode | undefined
  readonly actions?: ReactNode | undefined
  /** Whether the content reaches the borders. Default: false. */
  readonly flush?: boolean | undefined
  readonly children: ReactNode
}

export function Card({ title, description, actions, flush = false, children }: CardProps) {
  return (
    <section className="min-w-0 rounded-lg border border-line bg-surface shadow-sm">
      {(title || actions) && (
        <header className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 pt-3.5">
          <div>
            {title && <h2 className="text-base font-semibold">{title}</h2>}
            {description && <p className="text-xs text-muted">{description}</p>}
          </div>
          {actions}
        </header>
      )}
      <div className={flush ? undefined : 'p-4'}>{children}</div>
    </section>
  )
}
