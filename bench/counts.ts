import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** The bytes that a request allocates on the heap, and the objects of Node.js that it creates. */
export interface Count {
  readonly kB: number
  readonly promises: number
  readonly timers: number
  readonly AbortControllers: number
}

export function combine(one: Count, other: Count, by: (one: number, other: number) => number): Count {
  return countBy((name) => by(one[name], other[name]))
}

export function countBy(value: (name: keyof Count) => number): Count {
  return {
    kB: value('kB'),
    promises: value('promises'),
    timers: value('timers'),
    AbortControllers: value('AbortControllers'),
  }
}

/** By request. */
export type Counts = Readonly<Record<string, Count>>

/** V8 does not optimize here, because that leaves out other allocations in each run, and collects nothing in between. */
const v8Flags = ['--expose-gc', '--no-opt', '--no-maglev', '--min-semi-space-size=512', '--max-semi-space-size=512']

/** Counts in a new process of the service, with medians of so many requests. Hardly depends on the load of the machine. */
export async function countRequests(requests: number): Promise<Counts> {
  const child = fork(fileURLToPath(new URL('servers/counted.ts', import.meta.url)), [String(requests)], {
    execArgv: ['--conditions=@fairlead/source', ...v8Flags],
  })
  const failed = once(child, 'exit').then(([code]) => Promise.reject(new Error(`the service exited with ${code}`)))
  const [counts] = (await Promise.race([once(child, 'message'), failed])) as [Counts]
  return counts
}
