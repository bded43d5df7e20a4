import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { runMain, temporaryFolder } from './testing/run-main.ts'
import { folderWith } from './testing/write-files.ts'

interface Command {
  readonly url: string
  readonly headers: Record<string, string>
  readonly body: string
}

/** The requests of the curl commands in a text, read as a shell would: in single quotes everything stands for itself. */
function curlCommands(text: string): Command[] {
  const commands = text.matchAll(/^curl (\S+) \\\n((?: .*\\\n)* .*)$/gm)
  return [...commands].map(([, url = '', rest = '']) => {
    const headers = [...rest.matchAll(/-H '([^':]+): ([^']*)'/g)].map(([, name, value]) => [name, value])
    const [, body = ''] = /-d '([^']*)'/.exec(rest) ?? []
    return { url, headers: Object.fromEntries(headers), body }
  })
}

function post(url: string, key: string, body: unknown, headers: Record<string, string> = {}) {
  return fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
}

function keyIn(output: string): string {
  return /^ {2}(fl_\w{49})$/m.exec(output)?.[1] ?? 'none'
}

describe('the first start', () => {
  test('the first start writes the API key of the admin, and three commands that work, to a file', async () => {
    const server = runMain({
      FAIRLEAD_DATA_DIR: temporaryFolder(),
      FAIRLEAD_ADMIN_EMAIL: 'ada@example.com',
      FAIRLEAD_PROVIDERS: 'local',
    })
    const url = await server.url
    const key = keyIn(server.firstLogin)
    expect(server.output).toContain('Created the admin ada@example.com.')
    expect(server.output).not.toContain(key)
    expect(server.firstLogin).toContain('Created the admin ada@example.com with this API key.')
    const commands = curlCommands(server.firstLogin)
    expect(commands.map((command) => command.url)).toEqual(
      ['/generate', '/generate/image', '/analyze'].map((path) => url + path),
    )
    const replies = await Promise.all(
      commands.map(async ({ url: address, ...init }) => {
        const reply = await fetch(address, { method: 'POST', ...init })
        return { status: reply.status, json: (await reply.json()) as { data: Record<string, string> } }
      }),
    )
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200])
    const [text, image, analysis] = replies.map(({ json }) => json.data)
    expect(text?.['content']).toMatch(/\w/)
    expect(analysis).toHaveProperty('sentiment')
    expect(image?.['url']).toMatch(new RegExp(`^${url}/images/img_\\d+\\.png$`))
    const png = await fetch(image?.['url'] ?? '')
    expect([png.status, png.headers.get('content-type')]).toEqual([200, 'image/png'])
  })

  test('the first start writes a key once, which works after the next start', async () => {
    const environment = { FAIRLEAD_DATA_DIR: temporaryFolder() }
    const first = runMain(environment)
    await first.url
    const key = keyIn(first.firstLogin)
    first.signal('SIGTERM')
    expect(await first.end).toBe(0)
    const second = runMain(environment)
    const url = await second.url
    const reply = await fetch(`${url}/models`, { headers: { authorization: `Bearer ${key}` } })
    expect(reply.status).toBe(200)
    expect(second.output).not.toContain('fl_')
    await expect.poll(() => second.output).toContain('"msg":"request completed"')
    expect(second.output.trim().split('\n')).toEqual([
      expect.stringMatching(/^Fairlead \d+\.\d+\.\d+ listens on http:\/\/127\.0\.0\.1:\d+, with the provider local\.$/),
      expect.stringContaining('"route":"/models"'),
    ])
  })
})

describe('a start that fails', () => {
  test('a start that fails because the port is in use is explained, and creates nothing', async () => {
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void other.close())
    const folder = join(temporaryFolder(), 'data')
    const { port } = other.address() as AddressInfo
    const server = runMain({ PORT: String(port), FAIRLEAD_DATA_DIR: folder })
    expect(await server.end).toBe(1)
    expect(server.output).toBe(
      `Fairlead cannot start.\nPort ${port} is in use: stop the program that listens on it, or set PORT to another one.\n`,
    )
    expect(existsSync(folder)).toBe(false)
  })

  test('a start that fails because the port of the metrics is in use names its variable', async () => {
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void other.close())
    const { port } = other.address() as AddressInfo
    const address = `127.0.0.1:${port}`
    const server = runMain({ FAIRLEAD_METRICS_ADDRESS: address, FAIRLEAD_DATA_DIR: join(temporaryFolder(), 'data') })
    expect(await server.end).toBe(1)
    expect(server.output).toContain(`Port ${port} is in use`)
    expect(server.output).toContain('set FAIRLEAD_METRICS_ADDRESS to another one.')
  })

  test.each([
    ['a host that is not ours', { HOST: '192.0.2.1' }, 'HOST is not an address of this machine'],
    ['a wrong variable', { LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be one of fatal, error'],
  ])('a start that fails because of %s is explained', async (_case, environment, explanation) => {
    const server = runMain({ FAIRLEAD_DATA_DIR: join(temporaryFolder(), 'data'), ...environment })
    expect(await server.end).toBe(1)
    expect(server.output).toMatch(/^Fairlead cannot start\.\n/)
    expect(server.output).toContain(explanation)
    expect(server.output).not.toMatch(/\n +at /)
  })
})

describe('an unknown variable', () => {
  test('an unknown variable is logged once as a warning, and the service starts', async () => {
    const server = runMain({
      FAIRLEAD_DATA_DIR: temporaryFolder(),
      FAIRLEAD_BASEURL: 'x',
      FAIRLEAD_SERVICE_HOST: '10.0.0.7',
      FAIRLEAD_PORT: 'tcp://10.0.0.7:8080',
      FAIRLEAD_PORT_8080_TCP: 'tcp://10.0.0.7:8080',
    })
    await server.url
    const warnings = server.output.split('\n').filter((line) => line.startsWith('{'))
    expect(warnings.map((line) => JSON.parse(line))).toMatchObject([
      { level: 40, msg: 'Unknown environment variable FAIRLEAD_BASEURL; did you mean FAIRLEAD_BASE_URL?' },
    ])
  })
})

describe('a data directory that cannot be created', () => {
  test.each([
    ['its parent is a file', '1'],
    ['its parent is a file', '2'],
  ])(
    'a data directory that cannot be created ends the start with the reason and exit code 1: %s, with %s processes',
    async (_case, workers) => {
      const folder = join(folderWith({ file: '' }), 'file', 'data')
      await expectRefusal({ FAIRLEAD_DATA_DIR: folder, FAIRLEAD_WORKERS: workers })
    },
  )

  test.runIf(existsSync('/proc/self'))(
    'a data directory that cannot be created ends the start where the file system has no such directory',
    () => expectRefusal({ FAIRLEAD_DATA_DIR: '/proc/fairlead/data' }),
  )

  async function expectRefusal(environment: Record<string, string>) {
    const server = runMain(environment)
    expect(await server.end).toBe(1)
    expect(server.output).toMatch(
      /^Fairlead cannot start\.\nFAIRLEAD_DATA_DIR names .*\n(EEXIST|ENOENT|ENOTDIR): .*\n$/,
    )
  }
})

describe('SIGTERM', () => {
  test('SIGTERM finishes the requests in flight, frees the port and exits with 0', async () => {
    const server = runMain({ FAIRLEAD_DATA_DIR: temporaryFolder(), LOG_LEVEL: 'debug' })
    const url = await server.url
    const scriptedPrompt = (script: string) => ({ model: 'mirror', prompt: `\`\`\`mirror\n${script}\n\`\`\`` })
    const whole = post(
      `${url}/generate`,
      keyIn(server.firstLogin),
      scriptedPrompt('reply: done at last\ndelay_ms: 2000'),
    )
    const streamed = post(`${url}/generate`, keyIn(server.firstLogin), {
      ...scriptedPrompt('reply: one two three four\ndelay_ms: 400\nchunks: 4'),
      stream: true,
    })
    // Its headers come with its first chunk: both are in flight.
    const streamReply = await streamed
    server.signal('SIGTERM')
    expect(await (await whole).json()).toMatchObject({ success: true, data: { content: 'done at last' } })
    expect(await streamReply.text()).toContain('event: done')
    expect(await server.end).toBe(0)
    await expect(fetch(url)).rejects.toThrow('fetch failed')
  })

  test('SIGTERM ends the process cleanly during the start', async () => {
    const folder = join(temporaryFolder(), 'data')
    const server = runMain({ FAIRLEAD_DATA_DIR: folder, FAIRLEAD_PROVIDERS: 'local' })
    // The folder is made once the port is bound, and long before the models are warm.
    await expect.poll(() => existsSync(folder)).toBe(true)
    server.signal('SIGTERM')
    expect(await server.end).toBe(0)
  })

  test('SIGTERM ends a start that waits for a plugin', async () => {
    const plugin = "process.stdout.write('asked')\nexport const deaf = () => new Promise(() => {})\n"
    const config = JSON.stringify({ providers: [{ use: './deaf.mjs' }] })
    const folder = folderWith({ 'fairlead.config.json': config, 'deaf.mjs': plugin })
    const server = runMain({ FAIRLEAD_PROVIDERS: 'auto', FAIRLEAD_DATA_DIR: join(folder, 'data') }, folder)
    await expect.poll(() => server.output).toBe('asked')
    server.signal('SIGTERM')
    expect(await server.end).toBe(0)
    expect(server.output).toBe('asked')
  })

  test('SIGTERM ends a start whose provider never finishes warming up', async () => {
    const plugin = `export const cold = () => ({
      contract: 2, id: 'cold', models: [], warmUp: () => { process.stdout.write('warming'); return new Promise(() => {}) },
    })`
    const config = JSON.stringify({ providers: [{ use: './cold.mjs' }] })
    const folder = folderWith({ 'fairlead.config.json': config, 'cold.mjs': plugin })
    const server = runMain({ FAIRLEAD_PROVIDERS: 'auto', FAIRLEAD_DATA_DIR: join(folder, 'data') }, folder)
    await expect.poll(() => server.output).toContain('warming')
    server.signal('SIGTERM')
    expect(await server.end).toBe(0)
  })

  test('SIGTERM can be sent twice', async () => {
    const server = runMain({ FAIRLEAD_DATA_DIR: temporaryFolder() })
    await server.url
    server.signal('SIGTERM')
    server.signal('SIGINT')
    expect(await server.end).toBe(0)
  })
})

describe('the output', () => {
  test('the output contains no prompt, no key and no image id, even after errors', async () => {
    const server = runMain({ FAIRLEAD_DATA_DIR: temporaryFolder(), LOG_LEVEL: 'trace' })
    const url = await server.url
    const key = keyIn(server.firstLogin)
    const canary = 'canary7431'
    const length = server.output.length
    const bodies: readonly unknown[] = [
      { model: 'scribe', prompt: `Write about ${canary}` },
      { model: 'mirror', prompt: `\`\`\`mirror\nfail: unavailable\n\`\`\`\n${canary}` },
      { model: 'mirror', prompt: `\`\`\`mirror\nfail: malformed\n\`\`\`\n${canary}` },
      { model: 'mirror', prompt: `\`\`\`mirror\nfail: refused\n\`\`\`\n${canary}` },
      { model: 'mirror', prompt: canary, stream: true },
      { model: canary, prompt: canary },
      { [canary]: canary },
      `{"${canary}`,
      `${canary}`,
    ]
    for (const body of bodies) await (await post(`${url}/generate`, key, body, { 'x-canary': canary })).text()
    await (await post(`${url}/analyze`, key, { text: canary, tasks: ['entities'], language: 'en' })).text()
    await (await post(`${url}/generate`, `fl_${canary}`, {})).text()
    await (await post(`${url}/generate?${canary}=${canary}`, key, {}, { 'user-agent': canary, cookie: canary })).text()
    await (await fetch(`${url}/nowhere/${key}?${canary}`, { method: 'DELETE', headers: { referer: canary } })).text()
    const made = await post(`${url}/generate/image`, key, { model: 'motif', prompt: canary, size: '256x256' })
    const { data } = (await made.json()) as { data: { id: string; url: string } }
    await (await fetch(data.url)).arrayBuffer()
    await (await fetch(`${url}/nowhere/${data.id}.png`)).text()
    await closeMidRequest(url, key, canary)
    server.signal('SIGTERM')
    expect(await server.end).toBe(0)
    const said = server.output.slice(length)
    expect(said.trim().split('\n').length).toBeGreaterThanOrEqual(bodies.length + 8)
    expect(said).not.toContain(canary)
    expect(said).not.toContain(key)
    expect(said).not.toContain(key.slice(3, 20))
    expect(said).not.toContain(data.id)
    expect(said).not.toContain(data.id.slice(4))
  })
})

/** Leaves in the middle of a body. */
async function closeMidRequest(url: string, key: string, canary: string): Promise<void> {
  const { port } = new URL(url)
  const socket = connect(Number(port), '127.0.0.1')
  await new Promise<void>((resolve) =>
    socket.write(
      `POST /generate HTTP/1.1\r\nHost: ${canary}\r\nContent-Type: application/json\r\n` +
        `Authorization: Bearer ${key}\r\nContent-Length: 100\r\n\r\n{"${canary}`,
      () => resolve(),
    ),
  )
  socket.destroy()
}
