import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { testClock } from '@fairlead/testing'
import { describe, expect, onTestFinished, test } from 'vitest'
import { callLimit, connectionLimit, lowFileLimit, logDroppedConnections, openFileLimit } from './connection-limit.ts'

describe('connectionLimit', () => {
  test('connectionLimit leaves file descriptors for providers and the database', () => {
    expect(connectionLimit(12_000, 1_024)).toBe(462)
    expect(connectionLimit(12_000, 1_000_000)).toBe(12_000)
    expect(connectionLimit(12_000, Infinity)).toBe(12_000)
    expect(connectionLimit(12_000, 1)).toBe(1)
  })

  test.skipIf(process.platform === 'win32')('connectionLimit knows the limit of open files of this process', () => {
    expect(openFileLimit()).toBeGreaterThan(100)
  })
})

describe('callLimit', () => {
  test('callLimit leaves a file descriptor for the client of each call', () => {
    expect(callLimit(1_024)).toBe(462)
    expect(callLimit(20_100)).toBe(10_000)
    expect(callLimit(Infinity)).toBe(10_000)
  })
})

describe('lowFileLimit', () => {
  test('lowFileLimit says how many calls a low limit allows, and how to raise it', () => {
    expect(lowFileLimit(1_024)).toBe(
      'The limit of 1024 open files allows 462 concurrent calls to a model: raise it to 20000 (ulimit -n; LimitNOFILE of systemd; ulimits of Compose).',
    )
    expect(lowFileLimit(20_000)).toBeUndefined()
  })
})

describe('logDroppedConnections', () => {
  test('logDroppedConnections logs once when connections are dropped, and once when that has stopped', async () => {
    const server = createServer()
    server.maxConnections = 1
    const clock = testClock()
    const lines: unknown[][] = []
    logDroppedConnections(server, { warn: (...line: unknown[]) => void lines.push(line) }, clock)
    await once(server.listen(0, '127.0.0.1'), 'listening')
    onTestFinished(() => void server.close())
    const open = () => {
      const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
      client.on('error', () => {}).resume()
      onTestFinished(() => void client.destroy())
      return once(client, 'close')
    }
    const accepted = once(server, 'connection')
    void open()
    await accepted
    await open()
    await open()
    const begun = [{ maxConnections: 1 }, 'connection limit reached, dropping new connections']
    expect(lines).toEqual([begun])
    clock.advance(9_999)
    clock.advance(1)
    expect(lines).toEqual([begun])
    clock.advance(10_000)
    const ended = [{ dropped: 2 }, 'accepting new connections again']
    expect(lines).toEqual([begun, ended])
    await open()
    expect(lines).toEqual([begun, ended, begun])
  })
})
