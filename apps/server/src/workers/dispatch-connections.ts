import type { Server, Socket } from 'node:net'

/** A process that serves connections. */
export interface Receiver {
  /** Hands a connection over; calls back with it if the process is gone. */
  take(socket: Socket, onLost: (socket: Socket) => void): void
  /** Tells the process that no connection follows. */
  end(): void
}

/** Hands the connections of a port to several processes in turn, to each the next one once it has taken the last. */
export interface Dispatcher {
  /** The process can take a connection. */
  next(receiver: Receiver): void
  /** The process has started: until one has, connections go to one that is starting, for the sake of the probes. */
  started(receiver: Receiver): void
  /** The process is about to stop. It is told of the end once another that has started remains. */
  leave(receiver: Receiver): void
  /** The process has ended. */
  remove(receiver: Receiver): void
  /** Called once the port is closed: tells every process of the end once all connections have been handed over. */
  end(): void
}

export function dispatchConnections(server: Server): Dispatcher {
  const receivers = new Set<Receiver>()
  const started = new Set<Receiver>()
  const free = new Set<Receiver>()
  const leaving = new Set<Receiver>()
  const waiting: Socket[] = []
  let isEnding = false

  function dispatch(): void {
    for (const receiver of free) {
      if (started.size > 0 && !started.has(receiver)) continue
      const socket = waiting.shift()
      if (!socket) break
      free.delete(receiver)
      receiver.take(socket, enqueue)
    }
    dismiss()
  }

  function enqueue(socket: Socket): void {
    waiting.push(socket)
    dispatch()
  }

  function dismiss(): void {
    const isOver = isEnding && waiting.length === 0
    const isReplaced = [...started].some((receiver) => !leaving.has(receiver))
    if (!isOver && !isReplaced) return
    for (const receiver of isOver ? receivers : leaving) {
      forget(receiver)
      receiver.end()
    }
  }

  function forget(receiver: Receiver): void {
    for (const set of [receivers, started, free, leaving]) set.delete(receiver)
  }

  server.on('connection', (socket: Socket) => {
    // Nobody reads from it here, so nobody has to hear that its client left.
    socket.on('error', () => {})
    enqueue(socket)
  })
  return {
    next(receiver) {
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
      dismiss()
    },
    end() {
      isEnding = true
      dismiss()
    },
  }
}
