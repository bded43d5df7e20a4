import type { Profiler } from 'node:inspector'
import { dirname } from 'node:path'

/** Shares of the time that a thread was not idle, by name, the largest first. */
export type Shares = readonly (readonly [name: string, share: number])[]

/** Where a thread spent its time itself, without the functions that it called. */
export interface SelfTimes {
  /** Packages of the repository and of others, modules of Node.js, and V8's garbage collector. */
  readonly packages: Shares
  /** Folders of the repository. */
  readonly folders: Shares
  readonly functions: Shares
}

const idle = ['(idle)', '(root)']

/** @param root the URL of the folder of the repository, with a slash at its end */
export function selfTimesOf({ nodes }: Profiler.Profile, root: string): SelfTimes {
  const busy = nodes.filter(({ callFrame }) => !idle.includes(callFrame.functionName))
  return {
    packages: sharesOf(busy, ({ url, functionName }) => packageOf(url, functionName, root)),
    folders: sharesOf(busy, ({ url }) => (isOwn(url, root) ? dirname(url.slice(root.length)) : undefined)),
    functions: sharesOf(busy, ({ url, functionName, lineNumber }) => {
      const name = functionName || '(anonymous)'
      return url === '' ? name : `${name} ${url.replace(root, '').replace(/^.*node_modules\//, '')}:${lineNumber + 1}`
    }),
  }
}

/** The shares of the samples in all nodes. Nodes without a name are left out. */
function sharesOf(
  nodes: readonly Profiler.ProfileNode[],
  nameOf: (frame: Profiler.ProfileNode['callFrame']) => string | undefined,
): Shares {
  let total = 0
  const samples = new Map<string, number>()
  for (const { callFrame, hitCount = 0 } of nodes) {
    total += hitCount
    const name = nameOf(callFrame)
    if (name !== undefined && hitCount > 0) samples.set(name, (samples.get(name) ?? 0) + hitCount)
  }
  return [...samples]
    .map(([name, count]) => [name, count / total] as const)
    .toSorted(([, one], [, other]) => other - one)
}

function packageOf(url: string, functionName: string, root: string): string {
  // V8 names what is not JavaScript in parentheses: `(garbage collector)`, and `(program)` for all native code.
  if (url === '') return functionName.startsWith('(') ? functionName : 'native functions'
  const [, module] = /^node:(?:internal\/)?_?([a-z0-9]+)/.exec(url) ?? []
  if (module !== undefined) return `node:${module === 'streams' ? 'stream' : module}`
  const [, dependency] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url) ?? []
  if (dependency !== undefined) return dependency
  return isOwn(url, root) ? (url.slice(root.length).split('/src/')[0] ?? '') : url
}

function isOwn(url: string, root: string): boolean {
  return url.startsWith(root) && !url.includes('/node_modules/')
}
