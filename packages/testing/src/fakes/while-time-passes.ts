import type { TestClock } from './test-clock.ts'

/** Advances a test clock step by step until the work settles. */
export async function whileTimePasses<Result>(clock: TestClock, work: Promise<Result>, stepMs = 10): Promise<Result> {
  let done = false
  const end = () => void (done = true)
  work.then(end, end)
  while (true) {
    // Work that does not wait for the clock runs first.
    await new Promise((resolve) => setImmediate(resolve))
    if (done) return work
    clock.advance(stepMs)
  }
}
