import { EventEmitter } from 'node:events'
import type { Server, Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { dispatchConnections, type Receiver } from './dispatch-connections.ts'

interface FakeReceiver extends Receiver {
  readonly taken: Socket[]
  readonly ended: () => boolean
}

function fakeReceiver(): FakeReceiver {
  const taken: Socket[] = []
  let ended = false
  return {
    taken,
    ended: () => ended,
    take: (socket) => void taken.push(socket),
    end: () => void (ended = true),
  }
}

function setUp() {
  const server = new EventEmitter()
  const dispatcher = dispatchConnections(server as Server)
  /** Those whose copy in this process was closed. */
  const closed: Socket[] = []
  const connect = () => {
    const socket = Object.assign(new EventEmitter(), { destroy: () => closed.push(socket) }) as unknown as Socket
    server.emit('connection', socket)
    return socket
  }
  return { dispatcher, connect, closed }
}

describe('dispatchConnections', () => {
  test('dispatchConnections hands each receiver its next connection once it has taken the last', () => {
    const { dispatcher, connect } = setUp()
    const [a, b] = [fakeReceiver(), fakeReceiver()]
    dispatcher.next(a)
    dispatcher.next(b)
    const sockets = [connect(), connect(), connect()]
    expect([a.taken, b.taken]).toEqual([[sockets[0]], [sockets[1]]])
    dispatcher.next(b)
    expect(b.taken).toEqual([sockets[1], sockets[2]])
  })

  test('dispatchConnections prefers a receiver that has started to one that is starting', () => {
    const { dispatcher, connect } = setUp()
    const [starting, started] = [fakeReceiver(), fakeReceiver()]
    dispatcher.next(starting)
    connect()
    expect(starting.taken).toHaveLength(1)
    dispatcher.next(starting)
    dispatcher.next(started)
    dispatcher.started(started)
    connect()
    connect()
    expect([starting.taken.length, started.taken.length]).toEqual([1, 1])
  })

  test('dispatchConnections hands a connection to another receiver if the first ends before it has taken it', () => {
    const { dispatcher, connect, closed } = setUp()
    const [hung, alive] = [fakeReceiver(), fakeReceiver()]
    dispatcher.next(hung)
    const socket = connect()
    dispatcher.next(alive)
    dispatcher.remove(hung)
    expect([alive.taken, closed]).toEqual([[socket], []])
  })

  test('dispatchConnections leaves a connection to the receiver that has taken it', () => {
    const { dispatcher, connect, closed } = setUp()
    const [first, other] = [fakeReceiver(), fakeReceiver()]
    dispatcher.next(first)
    const socket = connect()
    dispatcher.next(first)
    expect(closed).toEqual([socket])
    dispatcher.next(other)
    dispatcher.remove(first)
    expect(other.taken).toEqual([])
  })

  test('dispatchConnections ends receivers only once every accepted connection has been handed over', () => {
    const { dispatcher, connect } = setUp()
    const [a, b] = [fakeReceiver(), fakeReceiver()]
    dispatcher.next(a)
    dispatcher.next(b)
    connect()
    connect()
    connect()
    dispatcher.end()
    expect([a.ended(), b.ended()]).toEqual([false, false])
    dispatcher.next(a)
    expect(a.taken).toHaveLength(2)
    expect([a.ended(), b.ended()]).toEqual([true, true])
  })

  test('dispatchConnections keeps the last receiver that leaves until another has started', () => {
    const { dispatcher } = setUp()
    const [a, b, c] = [fakeReceiver(), fakeReceiver(), fakeReceiver()]
    for (const receiver of [a, b]) {
      dispatcher.next(receiver)
      dispatcher.started(receiver)
    }
    dispatcher.leave(a)
    dispatcher.leave(b)
    expect([a.ended(), b.ended()]).toEqual([true, false])
    dispatcher.next(c)
    expect(b.ended()).toBe(false)
    dispatcher.started(c)
    expect(b.ended()).toBe(true)
  })

  test('dispatchConnections ends a receiver that joins after the end', () => {
    const { dispatcher } = setUp()
    const late = fakeReceiver()
    dispatcher.end()
    dispatcher.next(late)
    expect(late.ended()).toBe(true)
  })
})
