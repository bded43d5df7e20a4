import { readFileSync } from 'node:fs'

/** Linux reports CPU time in ticks of 10 ms (`getconf CLK_TCK`). */
const microsPerTick = 10_000

/** The CPU time of a process since its start, user and system, in microseconds; 0 if it has ended. Linux only. */
export function readCpuMicros(pid: number): number {
  // The name of the program, in parentheses, may contain spaces.
  const fields = read(`/proc/${pid}/stat`).split(') ').at(-1)!.split(' ')
  const [user = 0, system = 0] = fields.slice(11, 13).map(Number)
  return (user + system) * microsPerTick
}

/** A process and its child processes. */
export function withChildren(pid: number): readonly number[] {
  const children = read(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean)
  return [pid, ...children.map(Number)]
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
