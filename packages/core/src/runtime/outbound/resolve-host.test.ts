import { createSocket } from 'node:dgram'
import { Resolver } from 'node:dns/promises'
import { once } from 'node:events'
import { describe, expect, onTestFinished, test } from 'vitest'
import { resolveByDns, resolveBySystem } from './resolve-host.ts'

describe('resolveBySystem', () => {
  test('resolveBySystem resolves a name of the hosts file', async () => {
    expect(['127.0.0.1', '::1']).toContain((await resolveBySystem('localhost'))[0])
  })
})

describe('resolveByDns', () => {
  test('resolveByDns returns the A and the AAAA records', async () => {
    const resolver = await openNameServer({ 1: ['c0a80001', '0a000001'], 28: [`fd00${'0'.repeat(27)}1`] })
    expect(await resolveByDns('hooks.example', resolver)).toEqual(['192.168.0.1', '10.0.0.1', 'fd00::1'])
  })

  test('resolveByDns returns the AAAA records of a host without A records', async () => {
    const resolver = await openNameServer({ 28: [`fd00${'0'.repeat(27)}1`] })
    expect(await resolveByDns('hooks.example', resolver)).toEqual(['fd00::1'])
  })

  test('resolveByDns rejects for a host without addresses', async () => {
    await expect(resolveByDns('hooks.example', await openNameServer({}))).rejects.toThrow('ENODATA')
  })
})

/** Opens a DNS server that answers every query with these records. @param records data in hexadecimal, by query type */
async function openNameServer(records: Readonly<Record<number, readonly string[]>>): Promise<Resolver> {
  const socket = createSocket('udp4')
  onTestFinished(() => void socket.close())
  socket.on('message', (query, from) => {
    // The question ends after the zero byte of its name, and two bytes each for type and class.
    const end = query.indexOf(0, 12) + 5
    const found = records[query.readUInt16BE(end - 4)] ?? []
    const head = Buffer.from('000081800001000000000000', 'hex')
    query.copy(head, 0, 0, 2)
    head.writeUInt16BE(found.length, 6)
    const answers = found.map((data) => {
      const size = (data.length / 2).toString(16).padStart(4, '0')
      const type = query.toString('hex', end - 4, end)
      return Buffer.from(`c00c${type}00000000${size}${data}`, 'hex')
    })
    socket.send(Buffer.concat([head, query.subarray(12, end), ...answers]), from.port, from.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const resolver = new Resolver({ timeout: 1_000, tries: 1 })
  resolver.setServers([`127.0.0.1:${socket.address().port}`])
  return resolver
}
