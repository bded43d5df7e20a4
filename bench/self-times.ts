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

type Frame = Profiler.ProfileNode['callFrame']

/** The sampled function: one of C++ counts as part of the JavaScript function that calls it. */
interface Sampled {
  readonly hits: number
  readonly name: string
  /** The JavaScript function; what V8 does itself, such as `(garbage collector)`, if there is none. */
  readonly frame: Frame
}

const idle = ['(idle)', '(root)']

/** @param root the URL of the folder of the repository, with a slash at its end */
export function sumSelfTimes({ nodes }: Profiler.Profile, root: string): SelfTimes {
  const samples = sampledIn(nodes)
  return {
    packages: sharesOf(samples, ({ frame }) => packageOf(frame, root)),
    folders: sharesOf(samples, ({ frame: { url } }) =>
      isOwn(url, root) ? dirname(url.slice(root.length)) : undefined,
    ),
    functions: sharesOf(samples, ({ name, frame: { url, lineNumber } }) =>
      url === '' ? name : `${name} ${url.replace(root, '').replace(/^.*node_modules\//, '')}:${lineNumber + 1}`,
    ),
  }
}

function sampledIn(nodes: readonly Profiler.ProfileNode[]): readonly Sampled[] {
  const callers = new Map(nodes.flatMap((caller) => (caller.children ?? []).map((id) => [id, caller] as const)))
  const samples: Sampled[] = []
  for (const node of nodes) {
    const { functionName } = node.callFrame
    if (!node.hitCount || idle.includes(functionName)) continue
    let owner: Profiler.ProfileNode | undefined = node
    while (owner && owner.callFrame.url === '' && !isInternal(owner.callFrame)) owner = callers.get(owner.id)
    const frame = owner?.callFrame ?? node.callFrame
    const name = functionName || '(anonymous)'
    samples.push({ hits: node.hitCount, name: owner === node ? name : `${name}, called in`, frame })
  }
  return samples
}

/** V8 names what is not a function in parentheses: `(garbage collector)`, and `(program)` for code outside of functions. */
function isInternal({ url, functionName }: Frame): boolean {
  return url === '' && functionName.startsWith('(')
}

/** The shares of the samples of each name. Samples without a name are left out. */
function sharesOf(samples: readonly Sampled[], nameOf: (sampled: Sampled) => string | undefined): Shares {
  let total = 0
  const counts = new Map<string, number>()
  for (const sampled of samples) {
    total += sampled.hits
    const name = nameOf(sampled)
    if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + sampled.hits)
  }
  return [...counts]
    .map(([name, count]) => [name, count / total] as const)
    .toSorted(([, one], [, other]) => other - one)
}

function packageOf({ url, functionName }: Frame, root: string): string {
  if (url === '') return functionName
  const [, module] = /^node:(?:internal\/)?_?([a-z0-9]+)/.exec(url) ?? []
  if (module !== undefined) return `node:${module === 'streams' ? 'stream' : module}`
  const [, dependency] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url) ?? []
  if (dependency !== undefined) return dependency
  return isOwn(url, root) ? (url.slice(root.length).split('/src/')[0] ?? '') : url
}

function isOwn(url: string, root: string): boolean {
  return url.startsWith(root) && !url.includes('/node_modules/')
}
