import { formatNumber } from '../format.ts'
import { ProgressBar } from './progress-bar.tsx'

export interface QuotaUseProps {
  /** Of an API key; null for all sessions. */
  readonly name: string | null
  readonly used: number
  readonly limit: number | null
}

/** The units of the quota that a key used this month. */
export function QuotaUse({ name, used, limit }: QuotaUseProps) {
  const shown = credentialName(name)
  return (
    <>
      <p className="mb-1.5 flex justify-between gap-4 text-sm">
        <span className="truncate font-medium">{shown}</span>
        <span className="tabular whitespace-nowrap">
          {formatNumber(used)}
          <span className="text-muted"> / {limit === null ? 'no limit' : formatNumber(limit)}</span>
        </span>
      </p>
      {limit !== null && <ProgressBar label={`Units of ${shown} used this month`} value={used} max={limit} />}
    </>
  )
}

export function credentialName(name: string | null): string {
  return name ?? 'Dashboard sessions'
}
