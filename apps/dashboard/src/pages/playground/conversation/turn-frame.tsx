import type { ReactNode } from 'react'
import { classNames } from '../../../components/class-names.ts'

export interface TurnFrameProps {
  /** The author of the message. */
  readonly title: string
  readonly tone?: 'user' | 'model' | undefined
  /** Icon buttons. */
  readonly actions?: ReactNode | undefined
  readonly children: ReactNode
}

/** A message of a conversation. */
export function TurnFrame({ title, tone = 'model', actions, children }: TurnFrameProps) {
  return (
    <li className={classNames('flex min-w-0 flex-col gap-2 px-4 py-3', tone === 'user' && 'bg-sunken/60')}>
      <div className="flex min-h-7 items-center justify-between gap-2">
        <h3 className="truncate text-xs font-semibold text-muted">{title}</h3>
        {actions && <div className="-mr-1.5 flex shrink-0 items-center">{actions}</div>}
      </div>
      {children}
    </li>
  )
}
