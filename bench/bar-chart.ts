/** A bar of a chart. */
export interface Bar {
  readonly label: string
  readonly value: number
}

const width = 720
const labelWidth = 300
const barHeight = 28
const gap = 12
const top = 44

/** A horizontal bar chart as SVG, which reads well on light and dark pages. */
export function barChart(title: string, bars: readonly Bar[]): string {
  const longest = Math.max(...bars.map(({ value }) => value))
  const height = top + bars.length * (barHeight + gap)
  const rows = bars.map(({ label, value }, index) => {
    const y = top + index * (barHeight + gap)
    const length = Math.round((value / longest) * (width - labelWidth - 90))
    const middle = y + barHeight / 2 + 5
    return [
      `  <text x="${labelWidth - 12}" y="${middle}" text-anchor="end">${escaped(label)}</text>`,
      `  <rect x="${labelWidth}" y="${y}" width="${length}" height="${barHeight}" rx="4" fill="${label.startsWith('Fairlead') ? '#2563eb' : '#94a3b8'}"/>`,
      `  <text x="${labelWidth + length + 10}" y="${middle}">${Math.round(value).toLocaleString('en')}</text>`,
    ].join('\n')
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" font-family="system-ui, sans-serif" font-size="14" fill="#64748b">
  <text x="${labelWidth}" y="24" font-weight="600">${escaped(title)}</text>
${rows.join('\n')}
</svg>
`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
