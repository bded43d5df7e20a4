import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, isIP } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { testClock } from '@fairlead/testing'
import { createOutbound, type OutboundOptions, resolveByDns, resolveBySystem } from './outbound.ts'
import { OutboundError } from './send-outbound.ts'
import { createSocket } from 'node:dgram'
import { Resolver } from 'node:dns/promises'

const request = { method: 'POST', body: '{}', timeoutMs: 5_000, maxResponseBytes: 1_000 } as const
const privateIssue =
  'must not point to a private or reserved address; to allow it, add the host or its network to ALLOW_NETWORKS'
const metadataIssue =
  'must not point to a link-local or cloud metadata address; to allow it, add its exact IP address to ALLOW_NETWORKS'

/** The same for a name that does not resolve and for a private one. */
const nameIssue =
  'must have a host name that resolves to a public address; to allow another address, add the host or its network to ALLOW_NETWORKS'

/** The addresses of the host names in these tests. */
const zone: Readonly<Record<string, readonly string[]>> = {
  'public.example': ['93.184.215.14', '2606:2800:21f:cb07:6820:80da:af6b:8b2c'],
  localhost: ['127.0.0.1'],
  'private.example': ['127.0.0.1'],
  'mapped.example': ['::ffff:127.0.0.1'],
  'translated.example': ['64:ff9b::7f00:1'],
  'mixed.example': ['93.184.215.14', '127.0.0.1'],
  'mixed6.example': ['93.184.215.14', '::1'],
  'zoned.example': ['fe80::1%lo'],
  'octal.example': ['0177.0.0.1'],
  'metadata.example': ['169.254.169.254'],
}

function open(options: Partial<OutboundOptions> = {}) {
  const resolve = async (host: string) => zone[host] ?? Promise.reject(new Error('queryA ENOTFOUND'))
  const outbound = createOutbound({ setting: 'ALLOW_NETWORKS', resolve, ...options })
  onTestFinished(outbound.close)
  return outbound
}

/** A server on 127.0.0.1 that counts connections. @param location where it redirects every request. Default: nowhere */
async function openCanary(location?: string) {
  const canary = { port: 0, connections: 0, hosts: [] as (string | undefined)[] }
  const server = createServer((message, response) => {
    canary.hosts.push(message.headers.host)
    response.writeHead(location === undefined ? 204 : 302, location === undefined ? {} : { location }).end()
  })
  server.on('connection', () => (canary.connections += 1))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  canary.port = (server.address() as AddressInfo).port
  return canary
}

describe('a URL of a private address', () => {
  const spellings = `
    127.0.0.1 127.1 127.0.1 127.0.0.1. 127.127.127.127 2130706433 0x7f000001 0x7f.1 0X7F.0x0.0x0.0x1
    017700000001 0177.0.0.1 0177.0.0.01 127.0.0.0x1 127.000.000.001 0 0.0.0.0 0x0 ①②⑦.⓪.⓪.① １２７.０.０.１ 127。0。0。1
    127．0．0．1 %31%32%37.0.0.1 127.0.0.1%2e localhost LOCALHOST localhost. ⓛⓞⓒⓐⓛⓗⓞⓢⓣ [::1] [0:0:0:0:0:0:0:1]
    [0000::0001] [::] [::ffff:127.0.0.1] [::FFFF:7f00:1] [0:0:0:0:0:ffff:127.0.0.1] [::127.0.0.1] [::7f00:1]
    [::ffff:0:127.0.0.1] [64:ff9b::127.0.0.1] [64:ff9b::7f00:1] [64:ff9b:1::7f00:1] [2002:7f00:1::]
    [2001:0:7f00:1::] [fc00::1] [fd12::1] [fec0::1] [ff02::1] 10.0.0.1 172.16.0.1 192.168.0.1 100.64.0.1
    198.18.0.1 224.0.0.1 private.example mapped.example translated.example mixed.example mixed6.example
    octal.example
  `
  const hosts = [...spellings.trim().split(/\s+/), 'local\u00ADhost', 'loc\tal\nhost']

  test.each(hosts)('a URL of a private address is not contacted as %j', async (host) => {
    const canary = await openCanary()
    const outbound = open()
    for (const url of [`https://${host}:${canary.port}/`, `http://${host}:${canary.port}/`]) {
      const isName = isIP(new URL(url).hostname.replace(/^\[|\]$|\.$/g, '')) === 0
      const issue = isName ? nameIssue : privateIssue
      expect(await outbound.check(url)).toBe(issue)
      await expect(outbound.request(url, request)).rejects.toMatchObject({
        kind: isName ? 'dns' : 'blocked',
        message: `The URL ${issue}`,
      })
    }
    expect(canary.connections).toBe(0)
  })

  test('a URL of a private address is contacted if the operator lists it, so that the tests above would notice a request', async () => {
    const canary = await openCanary()
    const outbound = open({ allowNetworks: ['127.0.0.0/8', '::ffff:127.0.0.1', 'private.example'] })
    for (const host of ['127.0.0.1', '0x7f.1', '[::ffff:127.0.0.1]', 'private.example', 'localhost.']) {
      const url = `http://${host}:${canary.port}/`
      expect(await outbound.check(url)).toBeUndefined()
      expect(await outbound.request(url, request)).toMatchObject({ status: 204 })
    }
    expect(canary.hosts).toEqual(
      ['127.0.0.1', '127.0.0.1', '[::ffff:7f00:1]', 'private.example', 'localhost'].map(
        (host) => `${host}:${canary.port}`,
      ),
    )
  })
})

describe('a URL of a metadata address', () => {
  const hosts = ['169.254.169.254', '2852039166', '0xa9fea9fe', '[::ffff:a9fe:a9fe]', '[fd00:ec2::254]', '[fe80::1]']

  test.each([...hosts, '100.100.100.200', '168.63.129.16', 'metadata.example', 'zoned.example'])(
    'a URL of a metadata address is not contacted as %s, although the operator lists its network and host',
    async (host) => {
      const outbound = open({ allowNetworks: ['0.0.0.0/0', '::/0', 'metadata.example', 'zoned.example'] })
      expect(await outbound.check(`http://${host}/`)).toBe(metadataIssue)
    },
  )

  test('a URL of a metadata address may be contacted if the operator lists exactly this address', async () => {
    const outbound = open({ allowNetworks: ['169.254.169.254', 'fd00:ec2::254/128'] })
    expect(await outbound.check('http://169.254.169.254/')).toBeUndefined()
    expect(await outbound.check('http://[fd00:ec2::254]/')).toBeUndefined()
    expect(await outbound.check('http://metadata.example/')).toBeUndefined()
    expect(await outbound.check('http://169.254.169.253/')).toBe(metadataIssue)
  })
})

describe('check', () => {
  test.each([
    ['https://public.example/hooks?a=b#c'],
    ['https://public.example.:443/'],
    ['https://public.example:8443/'],
    ['https://93.184.215.14/'],
    ['https://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]/'],
    ['https://[64:ff9b::93.184.215.14]/'],
  ])('check accepts %s', async (url) => {
    expect(await open().check(url)).toBeUndefined()
  })

  const fix = 'add the host or its network to ALLOW_NETWORKS'
  test.each([
    ['', 'must be a URL'],
    ['public.example', 'must be a URL'],
    ['https://', 'must be a URL'],
    ['https://1.2.3.4.5/', 'must be a URL'],
    ['https://[fe80::1%25eth0]/', 'must be a URL'],
    ['https://256.0.0.1/', 'must be a URL'],
    ['ftp://public.example/', 'must use https'],
    ['file:///etc/passwd', 'must use https'],
    ['data:text/plain,hello', 'must use https'],
    ['javascript:alert(1)', 'must use https'],
    ['https://user:password@public.example/', 'must not contain a user name or password'],
    ['https://user@public.example/', 'must not contain a user name or password'],
    ['https://:password@public.example/', 'must not contain a user name or password'],
    ['https://public.example@localhost/', 'must not contain a user name or password'],
    ['https://localhost\\@public.example/', nameIssue],
    ['https://missing.example/', nameIssue],
    ['http://public.example/', `must use https; to allow http, ${fix}`],
    ['http://public.example:443/', `must use https; to allow http, ${fix}`],
    ['https://public.example:22/', `must use port 443 or 8443; to allow other ports, ${fix}`],
    ['https://public.example:6379/', `must use port 443 or 8443; to allow other ports, ${fix}`],
  ])('check rejects %j', async (url, issue) => {
    expect(await open().check(url)).toBe(issue)
  })

  test('check accepts http and other ports only if every address of the host is listed', async () => {
    const listed = open({ allowNetworks: ['127.0.0.0/8'] })
    expect(await listed.check('http://private.example:3000/')).toBeUndefined()
    expect(await listed.check('https://mixed.example/')).toBeUndefined()
    expect(await listed.check('http://mixed.example/')).toMatch('must use https')
    expect(await listed.check('https://mixed.example:3000/')).toMatch('must use port 443')
    expect(await open({ allowNetworks: ['mixed.example'] }).check('http://mixed.example:3000/')).toBeUndefined()
  })

  test('check rejects a host name without addresses', async () => {
    const outbound = open({ resolve: async () => [] })
    expect(await outbound.check('https://public.example/')).toBe(nameIssue)
  })

  test('check rejects a host name whose name server does not answer for 5 s', async () => {
    const clock = testClock()
    const checked = open({ resolve: () => new Promise(() => {}), clock }).check('https://public.example/')
    clock.advance(5_000)
    expect(await checked).toBe(nameIssue)
  })
})

describe('a resolver that changes its answer', () => {
  test('a resolver that changes its answer does not get a request to a private address after a check of a public one', async () => {
    const canary = await openCanary()
    const answers = ['93.184.215.14', '127.0.0.1']
    const outbound = open({ resolve: async () => [answers.shift() ?? ''] })
    const url = `https://rebinding.example:8443/`
    expect(await outbound.check(url)).toBeUndefined()
    await expect(outbound.request(url, request)).rejects.toMatchObject({ kind: 'dns' })
    expect(canary.connections).toBe(0)
  })

  test('a resolver that changes its answer is asked once per request, and its answer is the address of the connection', async () => {
    const canary = await openCanary()
    const answers = [['127.0.0.1'], ['127.0.0.2']]
    const outbound = open({ allowNetworks: ['127.0.0.1'], resolve: async () => answers.shift() ?? [] })
    expect(await outbound.request(`http://rebinding.example:${canary.port}/`, request)).toMatchObject({ status: 204 })
    expect(answers).toEqual([['127.0.0.2']])
    expect(canary.connections).toBe(1)
  })

  test('a resolver that changes its answer is asked again before an idle connection is reused', async () => {
    const canary = await openCanary()
    const answers = ['127.0.0.1', '127.0.0.1', '10.0.0.1']
    const outbound = open({ allowNetworks: ['127.0.0.1'], resolve: async () => [answers.shift() ?? ''] })
    const url = `http://rebinding.example:${canary.port}/`
    await outbound.request(url, request)
    await outbound.request(url, request)
    expect(canary.connections).toBe(1)
    await expect(outbound.request(url, request)).rejects.toMatchObject({ kind: 'dns' })
    expect(canary.hosts).toHaveLength(2)
  })
})

describe('a redirect', () => {
  test('a redirect to a metadata address is returned and not followed', async () => {
    const location = 'http://169.254.169.254/latest/meta-data/'
    const { port } = await openCanary(location)
    const response = await open({ allowNetworks: ['127.0.0.1'] }).request(`http://127.0.0.1:${port}/`, request)
    expect(response).toMatchObject({ status: 302, headers: { location } })
  })

  test('a redirect to another allowed address is returned and not followed', async () => {
    const canary = await openCanary()
    const { port } = await openCanary(`http://127.0.0.1:${canary.port}/`)
    const response = await open({ allowNetworks: ['127.0.0.1'] }).request(`http://127.0.0.1:${port}/`, request)
    expect(response.status).toBe(302)
    expect(canary.connections).toBe(0)
  })
})

describe('createOutbound', () => {
  test('createOutbound throws a TypeError for a malformed entry of allowNetworks', () => {
    expect(() => open({ allowNetworks: ['10.0.0.0/64'] })).toThrow('ALLOW_NETWORKS: "10.0.0.0/64" is not an IP address')
  })

  test('createOutbound resolves a listed name with the operating system', async () => {
    const canary = await openCanary()
    const outbound = createOutbound({ setting: 'ALLOW_NETWORKS', allowNetworks: ['localhost'] })
    onTestFinished(outbound.close)
    expect(await outbound.request(`http://localhost:${canary.port}/`, request)).toMatchObject({ status: 204 })
  })

  test('createOutbound rejects with an OutboundError that has the cause', async () => {
    const cause = new Error('queryA ESERVFAIL')
    const failed = open({ resolve: () => Promise.reject(cause) }).request('https://public.example/', request)
    await expect(failed).rejects.toBeInstanceOf(OutboundError)
    await expect(failed).rejects.toMatchObject({ kind: 'dns', cause })
  })
})

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
