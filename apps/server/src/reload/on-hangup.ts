import { closeSync, openSync } from 'node:fs'

/**
 * Calls `reload` on SIGHUP, or `stop` if the terminal that the service was started on is closed, which sends the same
 * signal.
 */
export function onHangup({ reload, stop }: { reload(): void; stop(): void }): void {
  const startedOnTerminal = hasTerminal()
  process.on('SIGHUP', () => {
    if (startedOnTerminal && !hasTerminal()) stop()
    else reload()
  })
}

/** Whether the process has a terminal, even if its input and output are files. */
function hasTerminal(): boolean {
  try {
    closeSync(openSync('/dev/tty', 'r+'))
    return true
  } catch {
    return false
  }
}
