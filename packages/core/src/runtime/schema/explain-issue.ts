import type * as z from 'zod'

/** Turns an issue of zod into a message. Messages set in a schema take precedence. */
export function explainIssue(issue: z.core.$ZodRawIssue): string {
  if (issue.input === undefined) return 'is required'
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${typeNames[issue.expected] ?? `a ${issue.expected}`}`
    case 'invalid_value':
      return explainChoices(issue.values)
    case 'too_small':
      return `must ${bound(issue, issue.minimum, issue.inclusive === false ? 'greater than' : 'at least')}`
    case 'too_big':
      return `must ${bound(issue, issue.maximum, issue.inclusive === false ? 'less than' : 'at most')}`
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`
    case 'invalid_format':
      return `must be ${formatNames[issue.format] ?? 'in a valid format'}`
    case 'invalid_key':
      return 'has a name that is not allowed'
    case 'invalid_union':
      return explainUnion(issue)
    default:
      return 'is not valid'
  }
}

/** Of a union by discriminator, the issue is at the discriminator. */
function explainUnion({
  errors,
  options,
}: {
  readonly errors: readonly (readonly z.core.$ZodIssue[])[]
  readonly options?: unknown
}): string {
  if (Array.isArray(options)) return explainChoices(options)
  const expected = errors.flatMap(([first]) => {
    if (first?.code === 'invalid_type') return typeNames[first.expected] ?? `a ${first.expected}`
    return first?.code === 'invalid_value' ? first.values.map((value) => JSON.stringify(value)) : []
  })
  return `must be ${expected.join(' or ')}`
}

const typeNames: Readonly<Record<string, string>> = {
  array: 'an array',
  int: 'an integer',
  object: 'an object',
  record: 'an object',
}

const formatNames: Readonly<Record<string, string>> = {
  email: 'an email address',
  url: 'a URL',
  datetime: 'a date and time such as 2026-03-14T09:26:53Z',
  date: 'a date such as 2026-03-14',
}

/** The issue of a field that takes only these values: `must be one of "a", "b"`. */
export function explainChoices(values: readonly unknown[]): string {
  const named = values.map((value) => JSON.stringify(value)).join(', ')
  return values.length > 1 ? `must be one of ${named}` : `must be ${named}`
}

const units: Readonly<Record<string, readonly [one: string, many: string]>> = {
  string: ['character', 'characters'],
  array: ['entry', 'entries'],
  set: ['entry', 'entries'],
  record: ['entry', 'entries'],
}

function bound({ origin }: { readonly origin: string }, value: number | bigint, word: string): string {
  const unit = units[origin]
  return unit ? `have ${word} ${value} ${unit[Number(value) === 1 ? 0 : 1]}` : `be ${word} ${value}`
}
