const whole = new Intl.NumberFormat('en')
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 })
const time = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
})
const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 })

export function formatNumber(value: number): string {
  return whole.format(value)
}

/** `Enterprise`, for a value of the API. */
export function formatLabel(value: string): string {
  return value.charAt(0).toUpperCase() + value.slice(1)
}

/** `12.3K`, for axes and narrow places. */
export function formatCompact(value: number): string {
  return compact.format(value)
}

export function formatPercent(share: number): string {
  return percent.format(share)
}

/** `1.2 MiB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`
  const [value, unit] = bytes < 1024 * 1024 ? [bytes / 1024, 'KiB'] : [bytes / (1024 * 1024), 'MiB']
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${unit}`
}

/** `$0.0042`: small amounts keep the digits that matter. */
export function formatUsd(value: number): string {
  const digits = value === 0 || value >= 0.1 ? 2 : Math.min(8, 1 - Math.floor(Math.log10(value)))
  return new Intl.NumberFormat('en', {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: 2,
    maximumFractionDigits: digits,
  }).format(value)
}

export function formatMs(value: number): string {
  return value < 1000 ? `${whole.format(Math.round(value))} ms` : `${(value / 1000).toFixed(value < 10_000 ? 2 : 1)} s`
}

/** `14 Mar 2026, 09:26`, in the time zone of the browser unless another is given. */
export function formatDateTime(at: string | number, timeZone?: string): string {
  return new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone,
  }).format(new Date(at))
}

/** `14 Mar, 09:26:53`, in the time zone of the browser. */
export function formatTime(at: string | number): string {
  return time.format(new Date(at))
}

export function formatDate(at: string | number, timeZone?: string): string {
  return new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone }).format(
    new Date(at),
  )
}

const steps = [
  { unit: 'day', ms: 86_400_000 },
  { unit: 'hour', ms: 3_600_000 },
  { unit: 'minute', ms: 60_000 },
] as const
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

/** `3 hours ago`; a date if that is more than a month away. */
export function formatRelative(at: string | number, now: number): string {
  const difference = new Date(at).getTime() - now
  if (Math.abs(difference) > 30 * 86_400_000) return formatDate(at)
  const step = steps.find(({ ms }) => Math.abs(difference) >= ms)
  return step ? relative.format(Math.round(difference / step.ms), step.unit) : 'just now'
}

/** The value of a `datetime-local` input: the time in the time zone of the browser. */
export function toLocalInput(at: string | number): string {
  const date = new Date(at)
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
