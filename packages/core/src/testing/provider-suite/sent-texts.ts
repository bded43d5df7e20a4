/** All texts in a JSON value, in their order. */
export function textsIn(body: unknown): readonly string[] {
  if (typeof body === 'string') return [body]
  return typeof body === 'object' && body !== null ? Object.values(body).flatMap(textsIn) : []
}
