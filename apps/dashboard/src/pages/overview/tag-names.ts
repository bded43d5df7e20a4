interface Tagged {
  readonly tags?: Readonly<Record<string, string>> | null | undefined
}

/** The names of the tags of requests, the one that most have first. */
export function tagNames(requests: readonly Tagged[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const { tags } of requests)
    for (const name of Object.keys(tags ?? {})) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts].sort(([, one], [, other]) => other - one).map(([name]) => name)
}
