import type * as z from 'zod'

const maxFaults = 5

/** What a schema found wrong, by the path of each field: `choices.0.message: expected object`. Values are never quoted. */
export function faultsIn({ issues }: z.ZodError): string {
  return issues
    .flatMap((issue) => deepest(issue, []))
    .slice(0, maxFaults)
    .map(({ path, message }) => `${path.join('.') || 'the reply'}: ${message}`)
    .join('; ')
}

interface Fault {
  readonly path: readonly PropertyKey[]
  readonly message: string
}

/** Of the alternatives of a union, those that came closest, which failed deepest. */
function deepest(issue: z.core.$ZodIssue, before: readonly PropertyKey[]): readonly Fault[] {
  const path = [...before, ...issue.path]
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) return [{ path, message: issue.message }]
  const alternatives = issue.errors.map((issues) => issues.flatMap((inner) => deepest(inner, path)))
  const depthOf = (faults: readonly Fault[]) => Math.max(...faults.map((fault) => fault.path.length))
  const deepestOf = Math.max(...alternatives.map(depthOf))
  return alternatives.filter((faults) => depthOf(faults) === deepestOf).flat()
}
