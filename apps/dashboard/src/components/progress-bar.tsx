export interface ProgressBarProps {
  readonly label: string
  readonly value: number
  readonly max: number
}

/** How much of a limit is used. It turns to a warning at 80%, and to an error at the limit. */
export function ProgressBar({ label, value, max }: ProgressBarProps) {
  const share = max > 0 ? Math.min(1, value / max) : 1
  const color = share >= 1 ? 'bg-danger' : share >= 0.8 ? 'bg-warning' : 'bg-accent'
  return (
    <div
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={max}
      aria-valuenow={value}
      className="h-1.5 overflow-hidden rounded-full bg-hover"
    >
      <div className={`h-full rounded-full ${color}`} style={{ width: `${share * 100}%` }} />
    </div>
  )
}
