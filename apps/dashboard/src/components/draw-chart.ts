import uPlot from 'uplot'
import { type ChartData, chartColor } from './chart-data.ts'

const height = 224

/** Draws a chart into an empty element, in the colors of its theme. */
export function drawChart(
  element: HTMLElement,
  { times, series, kind, whole = false, timeZone, format, formatTime }: ChartData,
): uPlot {
  const stacked = kind === 'stacked bars'
  const strokes = series.map((each, index) => resolveColor(element, chartColor(each, index)))
  const grid = resolveColor(element, 'line')
  const text = resolveColor(element, 'subtle')
  const font = `11px ${getComputedStyle(element).fontFamily}`
  const rows = stacked ? stack(series.map(({ values }) => values)) : series.map(({ values }) => [...values])
  const tooltip = createTooltip(element)
  const [start = 0, next = start] = times
  const halfBar = stacked ? (next - start) / 2_000 : 0
  const axis = { stroke: text, font, ticks: { show: false } }

  const chart = new uPlot(
    {
      width: element.clientWidth,
      height,
      padding: [8, 8, 0, 0],
      legend: { show: false },
      cursor: { y: false, drag: { x: false, y: false }, points: { show: !stacked, size: 7 } },
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), timeZone),
      scales: {
        // The first and the last bar need room on both sides.
        x: { range: (_chart, min, max) => [min - halfBar, max + halfBar] },
        y: { range: (_chart, _min, max) => [0, max > 0 ? max * 1.1 : 1] },
      },
      axes: [
        { ...axis, size: 28, grid: { show: false }, values: (_chart, ticks) => ticks.map(tickLabels(timeZone)) },
        {
          ...axis,
          ...(whole && { incrs: wholeSteps }),
          size: (_chart, labels) => 14 + 7 * Math.max(2, ...(labels ?? []).map(({ length }) => length)),
          grid: { stroke: grid, width: 1 },
          values: (_chart, ticks) => ticks.map((tick) => withoutZeros(format(tick))),
        },
      ],
      series: [
        {},
        ...series.map(({ label, values }, index) => ({
          label,
          stroke: strokes[index] ?? text,
          ...(stacked
            ? { fill: strokes[index] ?? text, width: 0, points: { show: false }, paths: bars }
            : { width: 1.75, points: { show: false, filter: () => isolated(values) } }),
        })),
      ],
      hooks: {
        setCursor: [
          ({ cursor: { idx, left = 0 }, over }) => {
            if (idx === null || idx === undefined || left < 0) return tooltip.hide()
            const lines = series.flatMap(({ label, values }, index) => {
              const value = values[idx]
              if (value === null || value === undefined || (stacked && value === 0)) return []
              return [{ color: strokes[index] ?? text, label, value: format(value) }]
            })
            tooltip.show({ left: left + over.offsetLeft, title: formatTime(times[idx] ?? 0), lines })
          },
        ],
        destroy: [() => tooltip.remove()],
      },
    },
    // The tallest bar is drawn first, so that the parts below stay visible.
    [times.map((time) => time / 1000), ...rows],
    element,
  )
  return chart
}

const bars = uPlot.paths.bars?.({ size: [0.7, 24], align: 0 }) ?? (() => null)

/** 1, 2, 5, 10, and so on. */
const wholeSteps = Array.from({ length: 30 }, (_, step) => ([1, 2, 5][step % 3] ?? 1) * 10 ** Math.floor(step / 3))

/** The values that no line shows, because their neighbors are gaps. */
function isolated(values: readonly (number | null)[]): number[] {
  const isGap = (index: number) => (values[index] ?? null) === null
  return values.flatMap((_, index) => (!isGap(index) && isGap(index - 1) && isGap(index + 1) ? [index] : []))
}

/** `6 s` for `6.00 s`. */
function withoutZeros(text: string): string {
  return text.replace(/\.0+(?!\d)/, '')
}

/** The date at midnight, and the time otherwise. */
function tickLabels(timeZone: string): (seconds: number) => string {
  const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone })
  const date = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone })
  return (seconds) => {
    const text = time.format(seconds * 1000)
    return text === '00:00' ? date.format(seconds * 1000) : text
  }
}

/** Turns parts into sums from the top, so that each bar covers the ones below it. */
function stack(rows: readonly (readonly (number | null)[])[]): number[][] {
  const sums: number[][] = []
  for (let row = rows.length - 1; row >= 0; row -= 1) {
    const above = sums[0]
    sums.unshift((rows[row] ?? []).map((value, index) => (value ?? 0) + (above?.[index] ?? 0)))
  }
  return sums
}

/** A canvas needs a color itself, not the variable that names it. */
function resolveColor(element: HTMLElement, name: string): string {
  const probe = document.createElement('span')
  probe.style.color = `var(--color-${name})`
  element.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}

interface TooltipContent {
  readonly left: number
  readonly title: string
  readonly lines: readonly { readonly color: string; readonly label: string; readonly value: string }[]
}

function createTooltip(element: HTMLElement) {
  const box = document.createElement('div')
  box.className =
    'pointer-events-none absolute top-2 z-10 hidden min-w-36 rounded-md border border-line bg-raised px-2.5 py-2 text-xs shadow-lg'
  element.classList.add('relative')
  element.append(box)
  return {
    show({ left, title, lines }: TooltipContent) {
      const heading = document.createElement('p')
      heading.className = 'mb-1 font-medium whitespace-nowrap'
      heading.textContent = title
      box.replaceChildren(heading, ...lines.map(tooltipLine))
      box.classList.remove('hidden')
      const fitsRight = left + 16 + box.offsetWidth < element.clientWidth
      box.style.left = `${fitsRight ? left + 16 : Math.max(0, left - 16 - box.offsetWidth)}px`
    },
    hide: () => box.classList.add('hidden'),
    remove: () => box.remove(),
  }
}

function tooltipLine({ color, label, value }: TooltipContent['lines'][number]): HTMLElement {
  const line = document.createElement('p')
  line.className = 'flex items-center gap-1.5 whitespace-nowrap'
  const swatch = document.createElement('span')
  swatch.className = 'size-2 rounded-sm'
  swatch.style.background = color
  const name = document.createElement('span')
  name.className = 'text-muted'
  name.textContent = label
  const amount = document.createElement('span')
  amount.className = 'tabular ml-auto pl-4 font-medium'
  amount.textContent = value
  line.append(swatch, name, amount)
  return line
}
