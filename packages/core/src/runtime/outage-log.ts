import type { Log } from './log.ts'

/**
 * Logs when a task that repeats begins to fail, and when it succeeds again, however often it runs in between.
 *
 * @param task completes "could not …", such as `claim webhook deliveries`
 */
export function createOutageLog(log: Log, task: string) {
  let isFailing = false
  return {
    failed(error: unknown): void {
      if (!isFailing) log.warn({ error }, `could not ${task}, retrying`)
      isFailing = true
    },
    succeeded(): void {
      if (isFailing) log.warn({}, `could ${task} again`)
      isFailing = false
    },
  }
}
