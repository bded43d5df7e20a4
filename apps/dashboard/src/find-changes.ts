/** The fields that differ, so that a form sends only what was changed, and changes of others meanwhile are kept. */
export function findChanges<Body extends object>(before: Body, after: Body): Partial<Body> {
  return Object.fromEntries(
    Object.entries(after).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof Body]),
    ),
  ) as Partial<Body>
}
