// Preloaded into the server and into the build beside it, and loaded by a launcher that relays signals. SIGKILL cannot be
// forwarded, so a killed npm would leave an orphan that keeps the port. A process whose parent has exited therefore stops
// as on SIGTERM. A parent may have exited before this runs, so one that knows its id says it: `follow-parent.mjs?parent=123`.
import { isMainThread } from 'node:worker_threads'

const checkEveryMs = 250

if (isMainThread) {
  const parent = Number(new URL(import.meta.url).searchParams.get('parent') ?? process.ppid)
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    process.kill(process.pid, 'SIGTERM')
  }, checkEveryMs)
  watch.unref()
}
