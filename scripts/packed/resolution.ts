import { readFileSync } from 'node:fs'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'

/** Problems that "Are the types wrong?" finds, other than that the packages are ESM alone. */
export async function resolutionFaults(
  packages: readonly { readonly name: string; readonly tarball: string }[],
): Promise<readonly string[]> {
  const faults: string[] = []
  for (const { name, tarball } of packages) {
    const checked = await checkPackage(createPackageFromTarballData(readFileSync(tarball)))
    if (!checked.types) {
      faults.push(`${name} has no types`)
      continue
    }
    for (const problem of checked.problems) {
      // Node requires ESM since 22.12. Resolution without `exports` (node10) is for Node 12 and older.
      if (problem.kind === 'CJSResolvesToESM' || ('resolutionKind' in problem && problem.resolutionKind === 'node10'))
        continue
      faults.push(`${name}: ${JSON.stringify(problem)}`)
    }
  }
  return faults
}
