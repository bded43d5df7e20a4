import { valid } from 'semver'
import { parse } from 'yaml'

/** The versions of each package in a lock file of pnpm. Packages that no registry has, such as folders, are not in it. */
export function readLocked(lockFile: string): ReadonlyMap<string, readonly string[]> {
  const { packages = {} } = parse(lockFile) as { readonly packages?: Readonly<Record<string, unknown>> }
  const locked = new Map<string, string[]>()
  for (const key of Object.keys(packages)) {
    const at = key.lastIndexOf('@')
    const [name, version] = [key.slice(0, at), key.slice(at + 1)]
    if (valid(version)) locked.set(name, [...(locked.get(name) ?? []), version])
  }
  return locked
}
