/** Files that depend on each other, such as the API document and its examples, need two runs. */
const maxRuns = 4

/**
 * Runs `update` until it changes no file, because some files are generated from others. A run that changes files may fail,
 * for instance because the examples of a new operation are validated against a document without it.
 * @param update returns the output of a run that failed
 * @param hashes returns the hash of each file, by its path
 */
export function untilStable(
  update: () => string | undefined,
  hashes: () => ReadonlyMap<string, string>,
): { readonly changed: readonly string[]; readonly problem?: string | undefined } {
  const first = hashes()
  let before = first
  for (let run = 1; run <= maxRuns; run++) {
    const problem = update()
    const after = hashes()
    if (changes(before, after).length === 0) return { changed: changes(first, after), problem }
    before = after
  }
  return { changed: changes(first, before), problem: `The files still changed in run ${maxRuns}.` }
}

function changes(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): readonly string[] {
  return [...after].flatMap(([path, hash]) => (before.get(path) === hash ? [] : [path]))
}
