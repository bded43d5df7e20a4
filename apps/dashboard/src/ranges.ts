export const ranges = ['24h', '7d', '30d', '90d'] as const
export type Range = (typeof ranges)[number]

const hourMs = 3_600_000

/** The length of a range, in milliseconds. */
export const rangeMs: Readonly<Record<Range, number>> = {
  '24h': 24 * hourMs,
  '7d': 7 * 24 * hourMs,
  '30d': 30 * 24 * hourMs,
  '90d': 90 * 24 * hourMs,
}

export type Zone = 'local' | 'utc'
