import type { ReactNode } from 'react'
import { type AuditEntry, changesIn } from './audit-entry.ts'

/** The fields that changed, each as it was and as it is. */
export function ChangeList({ entry }: { readonly entry: AuditEntry }) {
  const changes = changesIn(entry)
  if (changes.length === 0) return <p className="text-sm text-muted">No field was changed.</p>
  return (
    <dl className="divide-y divide-line overflow-hidden rounded-lg border border-line">
      {changes.map(({ field, before, after }) => (
        <div key={field}>
          <dt className="bg-sunken px-3 py-1.5 font-mono text-xs text-muted">{field}</dt>
          {before !== undefined && (
            <Value sign="−" label="Before" tone="bg-danger-soft">
              {before}
            </Value>
          )}
          {after !== undefined && (
            <Value sign="+" label="After" tone="bg-success-soft">
              {after}
            </Value>
          )}
        </div>
      ))}
    </dl>
  )
}

interface ValueProps {
  readonly sign: string
  readonly label: string
  readonly tone: string
  readonly children: ReactNode
}

function Value({ sign, label, tone, children }: ValueProps) {
  return (
    <dd className={`flex gap-2 px-3 py-1.5 font-mono text-xs ${tone}`}>
      <span aria-hidden className="text-muted select-none">
        {sign}
      </span>
      <span className="sr-only">{label}: </span>
      <span className="min-w-0 break-words whitespace-pre-wrap">{children}</span>
    </dd>
  )
}
