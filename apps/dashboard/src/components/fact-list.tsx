import type { ReactNode } from 'react'

export interface Fact {
  readonly label: string
  readonly value: ReactNode
  /** Takes two columns, where there is room. Default: false. */
  readonly wide?: boolean | undefined
}

/** Short facts about a record, in columns. */
export function FactList({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl className="grid grid-cols-2 sm:grid-cols-[repeat(auto-fill,minmax(13rem,1fr))] gap-x-6 gap-y-3">
      {facts.map(({ label, value, wide = false }) => (
        <div key={label} className={`min-w-0 ${wide ? 'col-span-2' : ''}`}>
          <dt className="text-xs font-medium text-muted">{label}</dt>
          <dd className="mt-0.5 flex min-h-[20px] items-center text-sm break-words">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
