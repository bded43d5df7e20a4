import type { Server, Socket } from 'node:net'

/** A process that serves connections. */
export interface Receiver {
  /** Passes a connection on, and leaves it open here: another process may have to take it. */
  take(socket: Socket): void
  /** Tells the process that no more connections follow. */
  end(): void
}

/** Distributes the connections of a port over several processes. Each gets the next one once it has taken the last. */
export interface Dispatcher {
  /** The process has taken the last connection, if there was one, and can take another. */
  next(receiver: Receiver): void
  /** The process has started. Until one has, connections go to one that is starting, which answers the probes. */
  started(receiver: Receiver): void
  /** The process is about to stop. `end` follows once another process has started. */
  leave(receiver: Receiver): void
  /** The process has ended. The connection that it has not taken, because it hung, goes to another. */
  remove(receiver: Receiver): void
  /** Called once the port is closed. Ends every process once all connections have been passed on. */
  end(): void
}

export function dispatchConnections(server: Server): Dispatcher {
  const receivers = new Set<Receiver>()
  const started = new Set<Receiver>()
  const free = new Set<Receiver>()
  const leaving = new Set<Receiver>()
  /** The connection that each process was given and has not taken yet. */
  const given = new Map<Receiver, Socket>()
  const waiting: Socket[] = []
  let isEnding = false

  function dispatch(): void {
    for (const receiver of free) {
      if (started.size > 0 && !started.has(receiver)) continue
      const socket = waiting.shift()
      if (!socket) break
      free.delete(receiver)
      given.set(receiver, socket)
      receiver.take(socket)
    }
    dismiss()
  }

  function enqueue(socket: Socket): void {
    waiting.push(socket)
    dispatch()
  }

  function dismiss(): void {
    const isDone = isEnding && waiting.length === 0
    const isReplaced = [...started].some((receiver) => !leaving.has(receiver))
    if (!isDone && !isReplaced) return
    for (const receiver of isDone ? receivers : leaving) {
      forget(receiver)
      receiver.end()
    }
  }

  function forget(receiver: Receiver): void {
    for (const set of [receivers, started, free, leaving]) set.delete(receiver)
  }

  server.on('connection', (socket: Socket) => {
    // Nothing is read from the socket here: without a listener a disconnect would throw.
    socket.on('error', () => {})
    enqueue(socket)
  })
  return {
    next(receiver) {
      // The process has its own copy of the socket.
      given.get(receiver)?.destroy()
      given.delete(receiver)
      receivers.add(receiver)
      free.add(receiver)
      dispatch()
    },
    started(receiver) {
      started.add(receiver)
      dispatch()
    },
    leave(receiver) {
      leaving.add(receiver)
      dismiss()
    },
    remove(receiver) {
      forget(receiver)
      const socket = given.get(receiver)
      given.delete(receiver)
      if (socket) enqueue(socket)
      else dismiss()
    },
    end() {
      isEnding = true
      dismiss()
    },
  }
}
