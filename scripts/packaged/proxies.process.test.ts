import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'fairlead-proxies-'))
afterAll(() => rmSync(folder, { recursive: true }))

const isInstalled = {
  nginx: spawnSync('nginx', ['-v']).status === 0,
  haproxy: spawnSync('haproxy', ['-v']).status === 0,
}
for (const [name, isThere] of Object.entries(isInstalled)) {
  if (isThere) continue
  const missing = `${name} not found in PATH; on Debian: apt-get install nginx-light haproxy`
  if (process.env['CI'] === 'true') throw new Error(`CI requires the proxies: ${missing}`)
  process.stderr.write(`\n*** SKIPPED: the tests of deploy/${name} (${missing}). ***\n\n`)
}

/** Milliseconds after which a node closes an idle connection, as `http-server.ts` sets it. */
const nodeKeepAliveMs = Number(
  /keepAliveTimeout: ([\d_]+)/.exec(read('apps/server/src/http-server.ts'))![1]!.replace('_', ''),
)

beforeAll(() => {
  const pem = join(folder, 'fairlead.pem')
  const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  const files = ['-keyout', join(folder, 'fairlead.key'), '-out', join(folder, 'fairlead.crt')]
  execFileSync('openssl', [...request, ...files, '-subj', '/CN=ai.example.com'], { stdio: 'pipe' })
  writeFileSync(pem, ['key', 'crt'].map((end) => read(join(folder, `fairlead.${end}`))).join(''))
})

test.each([
  ['deploy/nginx/fairlead.conf', /^ *keepalive_timeout (\d+)s/m],
  ['deploy/caddy/Caddyfile', /^\s*keepalive (\d+)s/m],
  ['deploy/haproxy/haproxy.cfg', /pool-purge-delay (\d+)s/],
])('%s closes idle connections before a node does', (file, pattern) => {
  const seconds = Number(pattern.exec(read(file))?.[1])
  expect(seconds * 1000).toBeLessThan(nodeKeepAliveMs)
})

describe.skipIf(!isInstalled.nginx)('deploy/nginx', () => {
  const config = (nodes: readonly number[], [http, https]: readonly [number, number]) => {
    const own = withNodes(read('deploy/nginx/fairlead.conf'), nodes)
      .replace('listen 80;', `listen 127.0.0.1:${http};`)
      .replace('listen 443 ssl', `listen 127.0.0.1:${https} ssl`)
      .replaceAll('/etc/nginx/tls', folder)
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${folder}/${name};`,
    )
    const main = `daemon off; master_process off; pid ${folder}/nginx.pid; error_log stderr; events {}`
    return written('nginx.conf', `${main}\nhttp { access_log off; ${temporary.join(' ')}\n${own}\n}\n`)
  }

  const start = async (nodes: readonly number[]) => {
    const ports = await freePorts()
    return started('nginx', ['-p', folder, '-e', 'stderr', '-c', config(nodes, ports)], ports[1])
  }

  test('deploy/nginx passes nginx -t', () => {
    const { status, stderr } = spawnSync(
      'nginx',
      ['-t', '-p', folder, '-e', 'stderr', '-c', config([1, 2, 3], [8000, 8001])],
      {
        encoding: 'utf8',
      },
    )
    expect({ status, stderr }).toMatchObject({ status: 0, stderr: expect.not.stringContaining('[warn]') })
  })

  suite(start)
})

describe.skipIf(!isInstalled.haproxy)('deploy/haproxy', () => {
  const config = (nodes: readonly number[], [http, https]: readonly [number, number]) =>
    written(
      'haproxy.cfg',
      withNodes(read('deploy/haproxy/haproxy.cfg'), nodes)
        .replace('bind :80', `bind 127.0.0.1:${http}`)
        .replace('bind :443', `bind 127.0.0.1:${https}`)
        .replace('/etc/haproxy/fairlead.pem', join(folder, 'fairlead.pem')),
    )

  const start = async (nodes: readonly number[]) => {
    const ports = await freePorts()
    return started('haproxy', ['-db', '-f', config(nodes, ports)], ports[1])
  }

  test.each(['haproxy.cfg', 'postgres.cfg'])('deploy/haproxy/%s passes haproxy -c', (name) => {
    const text = read(`deploy/haproxy/${name}`).replace('/etc/haproxy/fairlead.pem', join(folder, 'fairlead.pem'))
    const { status, stderr } = spawnSync('haproxy', ['-c', '-f', written(name, text)], { encoding: 'utf8' })
    expect({ status, stderr }).toMatchObject({
      status: 0,
      stderr: expect.not.stringMatching(/ALERT|WARNING(?!.*could not resolve)/),
    })
  })

  suite(start)

  test('deploy/haproxy uses no node whose /readyz fails', async () => {
    const [ready, other] = [await node('ready'), await node('other', { readyz: 503 })]
    const proxy = await start([ready.port, other.port, other.port])
    const names = async () => {
      const answers = await Promise.all(Array.from({ length: 10 }, () => ask(proxy, 'POST')))
      return [...new Set(answers.map(({ body }) => body))]
    }
    await expect.poll(names, { timeout: 20_000 }).toEqual(['ready'])
  })

  test('deploy/haproxy/postgres.cfg follows the primary, and ends the connections to the former one', async () => {
    const hosts = [await database('db-1'), await database('db-2')]
    hosts[0]!.promote()
    const [port] = await freePorts()
    let text = read('deploy/haproxy/postgres.cfg').replace('bind 127.0.0.1:5432', `bind 127.0.0.1:${port}`)
    text = text.replace(' port 8008', '').replace('inter 1s', 'inter 100ms')
    // Both are on one address here, so each has a separate port for its checks.
    for (const [index, { port: sql, checks }] of [...hosts, hosts[1]!].entries())
      text = text.replace(`db-${index + 1}:5432`, `127.0.0.1:${sql} port ${checks}`)
    await started('haproxy', ['-db', '-f', written('postgres.cfg', text)], port)
    await expect.poll(() => nameFrom(port).then(({ name }) => name)).toBe('db-1')
    const { socket } = await nameFrom(port)
    const ended = once(socket, 'close')
    hosts[0]!.demote()
    hosts[1]!.promote()
    await ended
    await expect.poll(() => nameFrom(port).then(({ name }) => name)).toBe('db-2')
  })
})

/** The tests for both proxies. */
function suite(start: (nodes: readonly number[]) => Promise<string>): void {
  test('a node that refuses connections fails no request', async () => {
    const { port } = await node('up')
    const proxy = await start([...(await freePorts()), port])
    for (const method of ['POST', 'GET', 'POST', 'POST']) {
      expect(await ask(proxy, method)).toMatchObject({ status: 200, body: 'up' })
    }
  })

  test('a POST whose connection breaks is not sent again', async () => {
    const received: string[] = []
    const breaking = await node('breaks', {
      respond(request) {
        received.push(request.method!)
        request.resume().on('end', () => request.socket.destroy())
      },
    })
    const proxy = await start([breaking.port, breaking.port, breaking.port])
    expect((await ask(proxy, 'POST')).status).toBe(502)
    expect(received).toEqual(['POST'])
  })

  test('a node that answers 503 for a provider is used further', async () => {
    const { port } = await node('busy', {
      respond: (request, response) =>
        void request.resume().on('end', () => response.writeHead(503).end('the provider is down')),
    })
    const proxy = await start([port, port, port])
    for (let request = 0; request < 8; request++)
      expect(await ask(proxy, request % 2 ? 'POST' : 'GET')).toMatchObject({
        status: 503,
        body: 'the provider is down',
      })
  })

  test('each part of a stream is sent on at once', async () => {
    const held = Promise.withResolvers<void>()
    const { port } = await node('streams', {
      async respond(_request, response) {
        response.write('first')
        await held.promise
        response.end('last')
      },
    })
    const proxy = await start([port, port, port])
    const parts = curl(proxy, 'POST').stdout![Symbol.asyncIterator]()
    expect(String((await parts.next()).value)).toBe('first')
    held.resolve()
    expect(String((await parts.next()).value)).toContain('last')
  })

  test('a body of 20 MiB arrives', async () => {
    const { port } = await node('reads', {
      async respond(request, response) {
        let length = 0
        for await (const chunk of request) length += (chunk as Buffer).length
        response.end(String(length))
      },
    })
    const body = written('body', 'x'.repeat(20 * 1_048_576))
    expect(await ask(await start([port, port, port]), 'POST', body)).toMatchObject({ body: String(20 * 1_048_576) })
  })

  test('the node learns the address and the scheme of the client', async () => {
    const { port } = await node('headers', {
      respond: ({ headers }, response) =>
        void response.end(`${headers['x-forwarded-for']} ${headers['x-forwarded-proto']}`),
    })
    expect(await ask(await start([port, port, port]), 'GET')).toMatchObject({ body: '127.0.0.1 https' })
  })
}

interface NodeOptions {
  readonly readyz?: number
  readonly respond?: RequestListener
}

/** Stands for a node: answers with its name. */
async function node(name: string, { readyz = 200, respond }: NodeOptions = {}) {
  const server = createServer((request, response) => {
    if (request.url === '/readyz') response.writeHead(readyz).end()
    else if (respond) respond(request, response)
    else request.resume().on('end', () => response.end(name))
  })
  return { port: await listening(server) }
}

/** Stands for a host of PostgreSQL with Patroni: sends its name to each connection. */
async function database(name: string) {
  let isPrimary = false
  const checks = await listening(createServer((_request, response) => response.writeHead(isPrimary ? 200 : 503).end()))
  const port = await listening(createTcpServer((socket) => void socket.on('error', () => {}).write(name)))
  return { port, checks, promote: () => void (isPrimary = true), demote: () => void (isPrimary = false) }
}

async function nameFrom(port: number): Promise<{ readonly name: string; readonly socket: Socket }> {
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  onTestFinished(() => void socket.destroy())
  const first = await Promise.race([once(socket, 'data'), once(socket, 'close')])
  return { name: String(first[0]), socket }
}

async function listening(server: Server | ReturnType<typeof createTcpServer>): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    if ('closeAllConnections' in server) server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

/** curl trusts any certificate here. */
function curl(url: string, method: string, body?: string): ChildProcess {
  const data = method === 'POST' ? ['--header', 'expect:', '--data-binary', body ? `@${body}` : 'x'] : []
  const child = spawn('curl', ['-sSkN', '--http1.1', '-X', method, ...data, '-w', '\n%{http_code}', url], {
    stdio: 'pipe',
  })
  onTestFinished(() => void child.kill())
  return child
}

async function ask(url: string, method: string, body?: string) {
  let output = ''
  for await (const chunk of curl(url, method, body).stdout!) output += String(chunk)
  const end = output.lastIndexOf('\n')
  return { status: Number(output.slice(end + 1)), body: output.slice(0, end) }
}

/** Starts a proxy, and resolves with its URL once it accepts connections. */
async function started(program: string, args: readonly string[], port: number): Promise<string> {
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  let output = ''
  child.stderr.on('data', (text) => (output += String(text)))
  const exited = once(child, 'exit')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await exited
  })
  await expect.poll(() => child.exitCode !== null || isOpen(port), { timeout: 10_000 }).toBe(true)
  if (child.exitCode !== null) throw new Error(`${program} did not start:\n${output}`)
  return `https://127.0.0.1:${port}/`
}

async function isOpen(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  const result = await Promise.race([
    once(socket, 'connect').then(() => true),
    once(socket, 'close').then(() => false),
  ]).catch(() => false)
  socket.destroy()
  return result
}

/** Two ports on which nothing listens. */
async function freePorts(): Promise<readonly [number, number]> {
  const servers = [createTcpServer(), createTcpServer()] as const
  const [first, second] = servers.map((server) => {
    server.listen(0, '127.0.0.1')
    return once(server, 'listening').then(() => (server.address() as AddressInfo).port)
  })
  const ports = [await first!, await second!] as const
  await Promise.all(servers.map((server) => once(server.close(), 'close')))
  return ports
}

/** The nodes of a configuration, on ports of this machine. */
function withNodes(text: string, ports: readonly number[]): string {
  return ports.reduce((all, port, index) => all.replaceAll(`fairlead-${index + 1}:8080`, `127.0.0.1:${port}`), text)
}

function written(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

function read(path: string): string {
  return readFileSync(path, 'utf8')
}
