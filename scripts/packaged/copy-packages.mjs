import { cpSync, existsSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'

/** Declarations, sources, maps and pages, which nothing loads. Licenses stay. */
const unused = /\.(ts|[cm]ts|tsbuildinfo|map|md)$/

/**
 * Copies installed packages, with everything that they depend on, into `node_modules` of a folder. A dependency is shared
 * at the top unless another version is there already, as npm does it.
 *
 * @param {string} folder
 * @param {readonly { readonly name: string, readonly from: string }[]} packages each with the folder that depends on it
 */
export function copyPackages(folder, packages) {
  /** By the place of each copy, the package that it is a copy of. */
  const copies = new Map()
  for (const { name, from } of packages) place(name, from, folder)

  /** @type {(name: string, from: string, parent: string) => void} */
  function place(name, from, parent) {
    const source = findPackage(name, from)
    // Optional, for another platform.
    if (source === undefined) return
    const resolved = resolve(name, parent)
    if (resolved && copies.get(resolved) === source) return
    const copy = join(resolved ? parent : folder, 'node_modules', name)
    copies.set(copy, source)
    copyPackage(source, copy)
    const { dependencies, optionalDependencies } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'))
    for (const dependency of Object.keys({ ...dependencies, ...optionalDependencies })) place(dependency, source, copy)
  }

  /**
   * Where Node finds a package from a copy.
   * @type {(name: string, parent: string) => string | undefined}
   */
  function resolve(name, parent) {
    const path = join(parent, 'node_modules', name)
    if (copies.has(path)) return path
    return parent === folder ? undefined : resolve(name, dirname(parent))
  }
}

/** @type {(source: string, copy: string) => void} */
function copyPackage(source, copy) {
  const { name, files } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'))
  // A package of this repository has more files than those that it publishes.
  const published = name.startsWith('@fairlead/') ? ['package.json', ...files] : ['.']
  for (const path of published) {
    cpSync(join(source, path), join(copy, path), {
      recursive: true,
      dereference: true,
      filter: (file) => !relative(source, file).split(sep).includes('node_modules') && !unused.test(file),
    })
  }
}

/** @type {(name: string, from: string) => string | undefined} */
function findPackage(name, from) {
  const path = join(from, 'node_modules', name)
  if (existsSync(path)) return realpathSync(path)
  return dirname(from) === from ? undefined : findPackage(name, dirname(from))
}
