import { computingMs } from '@fairlead/core/feature'

const maxRuns = 8

/**
 * The longest time that work keeps the event loop from other work, in milliseconds of CPU time of this thread. The best of up
 * to eight runs, because the first ones also compile the code, and other programs slow down the processor; a run that stays
 * within `enoughMs` is the last.
 */
export async function longestBlockMs(work: () => Promise<unknown>, enoughMs: number): Promise<number> {
  let least = Infinity
  for (let run = 0; run < maxRuns && least > enoughMs; run++) least = Math.min(least, await measureLongestBlock(work))
  return least
}

async function measureLongestBlock(work: () => Promise<unknown>): Promise<number> {
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

const tickMs = 10

/**
 * Resolves to a text if the value takes longer than a second. A busy machine makes the second longer: it consists of turns of
 * the event loop, so that a process that had to wait for the processor is not blamed.
 */
export async function withinASecond<Value>(value: Promise<Value>): Promise<Value | string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  let ticks = 0
  const timer = setInterval(() => {
    if (++ticks * tickMs >= 1_000) resolve('it was still busy after a second')
  }, tickMs)
  try {
    return await Promise.race([value, promise])
  } finally {
    clearInterval(timer)
  }
}
