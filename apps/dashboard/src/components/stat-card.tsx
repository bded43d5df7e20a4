import type { ReactNode } from 'react'
import { Skeleton } from './skeleton.tsx'

export interface StatCardProps {
  readonly label: string
  /** Undefined while it loads. */
  readonly value: string | undefined
  /** More about the value, such as its change. */
  readonly note?: ReactNode | undefined
}

export function StatCard({ label, value, note }: StatCardProps) {
  return (
    <div className="min-w-0 rounded-lg border border-line bg-surface px-4 py-3 shadow-sm">
      <dt className="truncate text-xs font-medium text-muted">{label}</dt>
      <dd className="mt-1">
        {value === undefined ? (
          <Skeleton className="my-1 h-6 w-20" />
        ) : (
          <span className="tabular text-xl font-semibold tracking-tight">{value}</span>
        )}
        <span className="tabular block min-h-4 truncate text-xs text-muted">{note}</span>
      </dd>
    </div>
  )
}
