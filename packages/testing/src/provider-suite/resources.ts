import { AsyncLocalStorage, createHook } from 'node:async_hooks'

/** Resources of Node that work started, and that have not ended. */
export interface ResourceWatch {
  /** Runs work, and notes what it and all that follows from it starts. */
  watch<Result>(work: () => Promise<Result>): Promise<Result>
  /** The types of those that keep the process alive, after they had time to end. */
  running(): Promise<readonly string[]>
  stop(): void
}

interface Resource {
  readonly type: string
  readonly value: { hasRef?(): boolean }
}

/** A promise does not keep the process alive, and the work of the others ends by itself. */
const types: ReadonlySet<string> = new Set([
  'Timeout',
  'FSEVENTWRAP',
  'MESSAGEPORT',
  'PIPEWRAP',
  'PROCESSWRAP',
  'STATWATCHER',
  'TCPSERVERWRAP',
  'TCPWRAP',
  'UDPWRAP',
  'WORKER',
])

/**
 * The time that a resource may need to end: turns of the event loop, and milliseconds, because a library may end its
 * work a little later.
 */
const [endTurns, endMs] = [100, 500]

/** Watches what work starts. Other work of the process, such as the test runner's, is not counted. */
export function watchResources(): ResourceWatch {
  const context = new AsyncLocalStorage<true>()
  const started = new Map<number, Resource>()
  const hook = createHook({
    init(id, type, _trigger, value) {
      if (types.has(type) && context.getStore()) started.set(id, { type, value })
    },
    destroy: (id) => void started.delete(id),
  }).enable()
  const current = () => [...started.values()].filter(({ value }) => value.hasRef?.() ?? false).map(({ type }) => type)
  return {
    watch: (work) => context.run(true, work),
    async running() {
      const until = performance.now() + endMs
      for (let turn = 0; current().length > 0 && (turn < endTurns || performance.now() < until); turn++) {
        await new Promise((resolve) => setImmediate(resolve))
      }
      return current()
    },
    stop: () => void hook.disable(),
  }
}
