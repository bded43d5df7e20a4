import { destination } from 'pino'

/** A line may wait so long for others, in milliseconds: a write for each costs as much as all else that a line costs. */
const longestWaitMs = 50
const enoughCharacters = 4_096

/**
 * Where log lines go: a file's path, or a descriptor that is open. What waits is written when the process exits by
 * itself, or when `flushSync()` is called.
 */
export function logDestination(dest: string | number): ReturnType<typeof destination> {
  return destination({ dest, sync: false, minLength: enoughCharacters, periodicFlush: longestWaitMs })
}
