import { useEffect, useRef } from 'react'
import type uPlot from 'uplot'
import { Skeleton } from './skeleton.tsx'
import { type ChartColor, type ChartData, chartColor } from './chart-data.ts'

export interface TimeSeriesChartProps extends Omit<ChartData, 'series'> {
  /** Undefined while they load. */
  readonly series: ChartData['series'] | undefined
  /** Names the chart and its table for screen readers. */
  readonly label: string
}

/** A chart on a canvas, with the same numbers as a table. */
export function TimeSeriesChart({ series, ...props }: TimeSeriesChartProps) {
  return series ? <LoadedChart series={series} {...props} /> : <LoadingChart />
}

/** As high as a chart with its legend and its table. */
function LoadingChart() {
  return (
    <div>
      <Skeleton className="h-[224px]" />
      <Skeleton className="mt-2 h-4 w-40" />
      <div className="mt-2 h-4" />
    </div>
  )
}

function LoadedChart(props: ChartData & Pick<TimeSeriesChartProps, 'label'>) {
  const { label, times, series, kind = 'lines', whole = false, timeZone, format, formatTime } = props
  const holder = useRef<HTMLDivElement>(null)

  useEffect(() => {
    const element = holder.current
    if (!element) return undefined
    let chart: uPlot | undefined
    let drawChart: typeof import('./draw-chart.ts').drawChart | undefined
    const draw = () => {
      chart?.destroy()
      chart = drawChart?.(element, { times, series, kind, whole, timeZone, format, formatTime })
    }
    // The figures of a page appear before the script of its charts has loaded.
    let unmounted = false
    async function load() {
      drawChart = (await import('./draw-chart.ts')).drawChart
      if (!unmounted) draw()
    }
    void load()
    const resized = new ResizeObserver(() => {
      if (chart && chart.width !== element.clientWidth) draw()
    })
    resized.observe(element)
    // The canvas has fixed colors: it is drawn again when the theme changes.
    const rethemed = new MutationObserver(draw)
    rethemed.observe(document.documentElement, { attributeFilter: ['data-theme'] })
    const dark = matchMedia('(prefers-color-scheme: dark)')
    dark.addEventListener('change', draw)
    return () => {
      unmounted = true
      resized.disconnect()
      rethemed.disconnect()
      dark.removeEventListener('change', draw)
      chart?.destroy()
    }
  }, [times, series, kind, whole, timeZone, format, formatTime])

  return (
    <figure className="min-w-0">
      <div ref={holder} aria-hidden className="h-[224px] min-w-0" />
      <figcaption className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-1 text-xs text-muted">
        {series.map((each, index) => (
          <span key={each.label} className="inline-flex items-center gap-1.5">
            <span aria-hidden className={`size-2 rounded-sm ${swatches[chartColor(each, index)]}`} />
            {each.label}
          </span>
        ))}
      </figcaption>
      <details className="mt-2 text-xs">
        <summary className="w-fit cursor-pointer rounded-sm text-muted hover:text-fg">Show as a table</summary>
        <div tabIndex={0} role="region" aria-label={`Table: ${label}`} className="mt-2 max-h-64 overflow-auto">
          <table aria-label={label} className="tabular w-full">
            <thead>
              <tr className="text-left text-muted">
                <th scope="col" className="py-1 pr-4 font-medium">
                  Time
                </th>
                {series.map(({ label: name }) => (
                  <th key={name} scope="col" className="py-1 pl-4 text-right font-medium">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {times.map((time, index) => (
                <tr key={time} className="border-t border-line">
                  <th scope="row" className="py-1 pr-4 text-left font-normal whitespace-nowrap">
                    {formatTime(time)}
                  </th>
                  {series.map(({ label: name, values }) => {
                    const value = values[index] ?? null
                    return (
                      <td key={name} className="py-1 pl-4 text-right">
                        {value === null ? '–' : format(value)}
                      </td>
                    )
                  })}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </figure>
  )
}

const swatches: Readonly<Record<ChartColor, string>> = {
  'chart-1': 'bg-chart-1',
  'chart-2': 'bg-chart-2',
  'chart-3': 'bg-chart-3',
  'chart-4': 'bg-chart-4',
  'chart-5': 'bg-chart-5',
  'chart-6': 'bg-chart-6',
  danger: 'bg-danger',
}
