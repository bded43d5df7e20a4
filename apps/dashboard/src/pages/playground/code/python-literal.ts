const indent = '    '

/** A JSON value as a Python expression. */
export function pythonLiteral(value: unknown, depth = 0): string {
  if (value === null || value === undefined) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value !== 'object') return JSON.stringify(value)
  const items = Array.isArray(value)
    ? value.map((item) => pythonLiteral(item, depth + 1))
    : Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}: ${pythonLiteral(item, depth + 1)}`)
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  if (items.length === 0) return open + close
  const margin = indent.repeat(depth + 1)
  return `${open}\n${items.map((item) => `${margin}${item},\n`).join('')}${indent.repeat(depth)}${close}`
}
