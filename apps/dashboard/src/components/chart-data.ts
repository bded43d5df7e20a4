export interface ChartSeries {
  readonly label: string
  /** One for each time. Null leaves a gap. */
  readonly values: readonly (number | null)[]
  /** A color of the style sheet. Default: the next of the palette. */
  readonly color?: ChartColor | undefined
}

const palette = ['chart-1', 'chart-2', 'chart-3', 'chart-4', 'chart-5', 'chart-6'] as const
export type ChartColor = (typeof palette)[number] | 'danger'

/** The color of a series. */
export function chartColor({ color }: ChartSeries, index: number): ChartColor {
  return color ?? palette[index % palette.length] ?? palette[0]
}

export interface ChartData {
  /** In milliseconds since the epoch. */
  readonly times: readonly number[]
  readonly series: readonly ChartSeries[]
  /** Default: `lines`. Stacked bars show parts of a whole. */
  readonly kind?: 'lines' | 'stacked bars' | undefined
  /** Whether the values are counts. The axis then has whole numbers only. Default: false. */
  readonly whole?: boolean | undefined
  /** IANA name of the time zone. */
  readonly timeZone: string
  format(value: number): string
  formatTime(time: number): string
}
