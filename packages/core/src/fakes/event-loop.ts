const runs = 3

/**
 * The longest time that work keeps the event loop from other work, in milliseconds of this thread's own computing time,
 * which a busy machine does not lengthen. The best of several runs, because the first ones also compile the code.
 */
export async function longestBlockMs(work: () => Promise<unknown>): Promise<number> {
  const blocks: number[] = []
  for (let run = 0; run < runs; run++) blocks.push(await longestBlockOf(work))
  return Math.min(...blocks)
}

async function longestBlockOf(work: () => Promise<unknown>): Promise<number> {
  let longest = 0
  let last = computingMs()
  const measure = () => {
    const now = computingMs()
    longest = Math.max(longest, now - last)
    last = now
  }
  const timer = setInterval(measure, 1)
  try {
    await work()
  } finally {
    clearInterval(timer)
  }
  measure()
  return longest
}

/** Node before 23.9 knows only the time of all threads together. */
const cpuUsage: () => NodeJS.CpuUsage =
  'threadCpuUsage' in process ? () => process.threadCpuUsage() : () => process.cpuUsage()

export function computingMs(): number {
  const { user, system } = cpuUsage()
  return (user + system) / 1_000
}
