const words: readonly (readonly [RegExp, string])[] = [
  [/\b(?:percent of|per cent of)\b|% of\b/gi, '% *'],
  [/\bpercent\b|\bper cent\b/gi, '%'],
  [/\bplus\b/gi, '+'],
  [/\bminus\b/gi, '-'],
  [/\btimes\b|\bmultiplied by\b|[×·]|(?<=[\d)]\s{0,4})x(?=\s{0,4}[\d(])/gi, '*'],
  [/\bdivided by\b|÷/gi, '/'],
  [/\b(?:to the power of|raised to)\b|\*\*/gi, '^'],
  [/\bsquared\b/gi, '^2'],
  [/\bcubed\b/gi, '^3'],
  [/\bthe square root of\b|\bsquare root of\b|√/gi, 'sqrt'],
  [/−/g, '-'],
  // "1,200" is one number.
  [/(?<=\d),(?=\d{3}(?!\d))/g, ''],
]
const lead =
  /^\W*(?:(?:please|hey|hi|so|ok(?:ay)?|can you|could you|tell me|quick(?:ly)?)\W+)*(?:(?:what(?:['’]?s| is| are)|how much (?:is|are)|calculate|compute|evaluate|solve|work out)\b[: ]*(?:the result of |the value of )?)?/i

/** Longer prompts are not read. */
const longest = 200
const maxDepth = 40

/** The answer to a prompt that is an arithmetic expression: `17 * 23 = 391`. Undefined for other prompts. */
export function calculated(prompt: string): string | undefined {
  if (prompt.length > longest) return undefined
  const bare = prompt
    .replace(lead, (found) => (/\w/.test(found) ? '' : found))
    .replace(/[\s=?.!]+$|\s*=\s*\?*$/g, '')
    .trim()
  const written = words.reduce((text, [pattern, sign]) => text.replaceAll(pattern, sign), bare)
  const isNumbers = /^(?:sqrt|[\d\s.+\-*/^%()])+$/.test(written) && /\d/.test(written)
  const isDate = /^\d+(?:-\d+)+$|^\d+\/\d+\/\d+$/.test(written)
  // Some calculators take 100 - 10% for 90, others for 99.9.
  const isAmbiguous = /[+-]\s*\d+(?:\.\d+)?\s*%(?!\s*\*)/.test(written)
  if (!isNumbers || isDate || isAmbiguous || !/[+*/^%]|\d\s*-|sqrt/.test(written)) return undefined
  const value = parseValue(written)
  if (value === undefined) return undefined
  if (!Number.isFinite(value)) return `${bare} has no result that is a finite number.`
  return `${bare} = ${shown(value)}`
}

/** Without the noise of binary fractions. */
function shown(value: number): string {
  if (Number.isSafeInteger(value)) return String(value)
  return Math.abs(value) > Number.MAX_SAFE_INTEGER
    ? `about ${value.toPrecision(15)}`
    : String(Number(value.toPrecision(15)))
}

/** Reads an expression by recursive descent. Undefined if it is none. */
function parseValue(text: string): number | undefined {
  const tokens = text.match(/sqrt|\d+(?:\.\d+)?|\.\d+|[-+*/^%()]/g) ?? []
  if (tokens.join('') !== text.replaceAll(/\s+/g, '') || /\d\s+[\d.]/.test(text)) return undefined
  let at = 0
  const next = (...signs: readonly string[]) => (signs.includes(tokens[at] ?? '') ? tokens[at++] : undefined)

  function sum(depth: number): number {
    let value = product(depth)
    for (let sign = next('+', '-'); sign; sign = next('+', '-')) {
      const other = product(depth)
      value = sign === '+' ? value + other : value - other
    }
    return value
  }

  function product(depth: number): number {
    let value = signed(depth)
    for (let sign = next('*', '/'); sign; sign = next('*', '/')) {
      const other = signed(depth)
      value = sign === '*' ? value * other : value / other
    }
    return value
  }

  function signed(depth: number): number {
    if (depth > maxDepth) throw notAnExpression
    return next('-') ? -signed(depth + 1) : power(depth)
  }

  function power(depth: number): number {
    let base = atom(depth)
    while (next('%')) base /= 100
    return next('^') ? base ** signed(depth + 1) : base
  }

  function atom(depth: number): number {
    if (depth > maxDepth) throw notAnExpression
    if (next('sqrt')) return Math.sqrt(atom(depth + 1))
    if (next('(')) {
      const value = sum(depth + 1)
      if (!next(')')) throw notAnExpression
      return value
    }
    const token = tokens[at++]
    if (token === undefined || !/\d/.test(token)) throw notAnExpression
    return Number(token)
  }

  try {
    const value = sum(0)
    return at === tokens.length ? value : undefined
  } catch (error) {
    if (error === notAnExpression) return undefined
    throw error
  }
}

const notAnExpression = new Error('not an arithmetic expression')
