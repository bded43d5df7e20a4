export function isPromiseLike(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as PromiseLike<unknown> | null | undefined)?.then === 'function'
}

/** Nobody waits for these any more: what becomes of them is no defect. */
export function disregard(values: Iterable<unknown>): void {
  const ignore = () => undefined
  for (const value of values) if (isPromiseLike(value)) value.then(ignore, ignore)
}
