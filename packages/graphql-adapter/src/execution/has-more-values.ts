/** Whether there are more values than that within a value of JSON, however deep. */
export function hasMoreValues(json: unknown, most: number): boolean {
  const values = [json]
  for (const value of values) {
    if (typeof value !== 'object' || value === null) continue
    for (const inner of Object.values(value)) if (values.push(inner) > most + 1) return true
  }
  return false
}
