import { type ReactNode, useEffect } from 'react'
import { NavSheet } from './nav-sheet.tsx'

export interface PageLayoutProps {
  readonly title: string
  readonly description?: ReactNode | undefined
  /** Buttons and filters beside the title. */
  readonly actions?: ReactNode | undefined
  readonly children: ReactNode
}

/** The frame of each page: a bar with its title and actions, then its content. */
export function PageLayout({ title, description, actions, children }: PageLayoutProps) {
  useEffect(() => {
    document.title = `${title} · Fairlead`
  }, [title])
  return (
    <>
      <header className="sticky top-0 z-20 border-b border-line bg-canvas/95 backdrop-blur-sm">
        <div className="mx-auto flex min-h-14 w-full max-w-[1400px] flex-wrap items-center gap-x-4 gap-y-2 px-4 py-2 md:px-6">
          <NavSheet />
          <h1 className="mr-auto min-w-0 truncate text-lg font-semibold tracking-tight">{title}</h1>
          {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
        </div>
      </header>
      <div className="mx-auto flex w-full max-w-[1400px] flex-col gap-4 p-4 md:gap-5 md:p-6">
        {description && <p className="max-w-3xl text-sm text-pretty text-muted">{description}</p>}
        {children}
      </div>
    </>
  )
}
