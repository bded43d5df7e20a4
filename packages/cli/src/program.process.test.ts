import { execFile, spawn } from 'node:child_process'
import { on, once } from 'node:events'
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, onTestFinished, test } from 'vitest'

const main = join(import.meta.dirname, 'main.ts')

describe('fairlead', () => {
  test.for([
    { args: ['strat'], nearest: 'start' },
    { args: ['user', 'lst'], nearest: 'list' },
    { args: ['--prot', '1'], nearest: '--port' },
  ])('fairlead fails for $args, and suggests $nearest', async ({ args, nearest }) => {
    const { code, output } = await fairlead(args)
    expect([code, output]).toEqual([1, expect.stringContaining(`(Did you mean ${nearest}?)`)])
  })

  test('fairlead prints the version of its package', async () => {
    const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'))
    expect(await fairlead(['--version'])).toEqual({ code: 0, output: `${version}\n` })
  })

  test('fairlead completes the commands of a group', async () => {
    const { output } = await fairlead(['complete', '--', 'user', ''])
    expect(output).toMatch(/^create\t[^]*^list\t[^]*^set-password\t/m)
  })

  test('fairlead starts the service without a command, and drains it on SIGTERM', async () => {
    const data = temporaryFolder()
    const child = spawn(process.execPath, command(['--port', '0', '--data', data]), { env: environment() })
    onTestFinished(() => void child.kill('SIGKILL'))
    let output = ''
    for await (const text of child.stdout) {
      output += text
      if (output.includes('listens on')) break
    }
    child.kill('SIGTERM')
    expect(await once(child, 'exit')).toEqual([0, null])
    expect(output).toContain('Created the admin')
  })

  test('fairlead forwards signals to the service where a process cannot be replaced, as on Windows', async () => {
    const withoutExecve = '--import=data:text/javascript,process.execve=undefined'
    const args = [withoutExecve, ...command(['--port', '0', '--data', temporaryFolder()])]
    const child = spawn(process.execPath, args, { env: environment() })
    onTestFinished(() => void child.kill('SIGKILL'))
    const ended = once(child, 'close')
    let output = ''
    for await (const [text] of on(child.stdout, 'data', { close: ['end'] })) {
      output += text
      if (output.endsWith('local.\n')) child.kill('SIGTERM')
    }
    expect(await ended).toEqual([0, null])
    expect(output).toContain('"msg":"stopped"')
  })

  test('fairlead stops the service when the shell that npx started it in is killed', async () => {
    const call = [process.execPath, ...command(['--port', '0', '--data', temporaryFolder()])]
    // With a second command after it, the shell stays the parent.
    const shell = spawn('sh', ['-c', '"$@"; exit', 'sh', ...call], {
      env: environment({ npm_config_user_agent: 'npm' }),
    })
    const ended = once(shell, 'close')
    let output = ''
    for await (const [text] of on(shell.stdout, 'data', { close: ['end'] })) {
      output += text
      if (output.includes('listens on')) shell.kill('SIGKILL')
    }
    expect(await ended).toEqual([null, 'SIGKILL'])
    expect(output).toContain('"msg":"stopped"')
  })
})

describe('fairlead init', () => {
  test('fairlead init writes files that pass fairlead config check, and that commands read', async () => {
    const folder = temporaryFolder()
    expect(await fairlead(['init'], {}, '', folder)).toMatchObject({ code: 0 })
    appendFileSync(join(folder, '.env'), 'LOG_LEVEL=loud\n')
    expect(await fairlead(['config', 'check'], {}, '', folder)).toEqual({
      code: 1,
      output: expect.stringMatching(/^fail {2}LOG_LEVEL must be one of .*\n$/),
    })
    const { code, output } = await fairlead(['config', 'check'], { LOG_LEVEL: 'info' }, '', folder)
    expect([code, output]).toEqual([0, expect.stringContaining('ok    the environment and fairlead.config.ts')])
  })

  test('fairlead init overwrites nothing without --force', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, '.env'), 'PORT=1\n')
    expect(await fairlead(['init'], {}, '', folder)).toEqual({
      code: 1,
      output: 'These files exist already: .env. Move them away, or overwrite them with --force.\n',
    })
    expect(readdirSync(folder)).toEqual(['.env'])
    expect(await fairlead(['init', '--force'], {}, '', folder)).toMatchObject({ code: 0 })
    expect(readFileSync(join(folder, '.env'), 'utf8')).toContain('FAIRLEAD_SIGNUP=off')
  })
})

describe('fairlead user, key and config', () => {
  test('fairlead user, key and config create a user and a key, print them as JSON, and check the configuration', async () => {
    const folder = { FAIRLEAD_DATA_DIR: temporaryFolder() }
    const off = { ...folder, FAIRLEAD_MIGRATE: 'off' }
    expect((await fairlead(['user', 'list'], off)).output).toContain('run "fairlead migrate"')
    expect(await fairlead(['migrate'], off)).toEqual({ code: 0, output: 'The database is up to date.\n' })
    const created = await fairlead(['user', 'create', 'ada@example.com'], folder, 'a password of a user\n')
    expect(created.output).toMatch(/^Created the user ada@example\.com \(usr_\d+\)\.\n$/)
    const key = await fairlead(['key', 'create', '--user', 'ada@example.com', '--name', 'ci'], folder)
    expect(key.output).toMatch(/^fl_\w+\n$/)
    const { output } = await fairlead(['key', 'list', '--user', 'ada@example.com', '--json'], folder)
    expect(JSON.parse(output)).toMatchObject([{ name: 'ci', scopes: ['generate', 'analyze', 'models'] }])
  })

  test('fairlead user, key and config fail with one line for what does not exist', async () => {
    const folder = { FAIRLEAD_DATA_DIR: temporaryFolder() }
    expect(await fairlead(['key', 'list', '--user', 'eve@example.com'], folder)).toEqual({
      code: 1,
      output: 'No user has the email address eve@example.com.\n',
    })
  })

  test('fairlead user, key and config name every invalid variable', async () => {
    const { code, output } = await fairlead(['config', 'check'], { PORT: 'x', LOG_LEVEL: 'loud' })
    expect([code, output.split('\n').map((line) => line.slice(0, 15))]).toEqual([
      1,
      ['fail  PORT must', 'fail  LOG_LEVEL', ''],
    ])
  })
})

describe('fairlead audit verify', () => {
  test('fairlead audit verify prints the state of each month, and fails if an entry was removed', async () => {
    const folder = { FAIRLEAD_DATA_DIR: temporaryFolder() }
    expect(await fairlead(['audit', 'verify'], folder)).toEqual({ code: 0, output: 'The audit log has no entries.\n' })
    for (const name of ['ada', 'eve']) {
      await fairlead(['user', 'create', `${name}@example.com`], folder, 'a password of a user\n')
    }
    const whole = await fairlead(['audit', 'verify'], folder)
    expect(whole).toEqual({
      code: 0,
      output: expect.stringMatching(/^\d{4}-\d\d {2}2 entries {2}ok {2}([0-9a-f]{64})\nHead: \1\n$/),
    })
    const head = whole.output.trim().slice(-64)
    expect(await fairlead(['audit', 'verify', '--expect', head], folder)).toEqual(whole)
    const other = 'f'.repeat(64)
    expect(await fairlead(['audit', 'verify', '--expect', other], folder)).toEqual({
      code: 1,
      output: `${whole.output}The audit log is not whole: the expected head is not in the log: ${other}.\n`,
    })
    const report = JSON.parse((await fairlead(['audit', 'verify', '--json'], folder)).output)
    expect(report).toMatchObject({ head, removed: null, months: [{ entries: 2, unsigned: 0 }], faults: [] })
    const file = new DatabaseSync(join(folder.FAIRLEAD_DATA_DIR, 'fairlead.db'))
    file.exec('delete from audit_entries where number = 1')
    file.close()
    const { code, output } = await fairlead(['audit', 'verify'], folder)
    expect(code).toBe(1)
    expect(output).toMatch(
      /^(\d{4}-\d\d) {2}2 entries {2}entry 1 is missing\nHead: [0-9a-f]{64}\nThe audit log was tampered with: \1\.\n$/,
    )
  })

  test('fairlead audit verify fails if everything was deleted, and so does one with the head that was noted', async () => {
    const folder = { FAIRLEAD_DATA_DIR: temporaryFolder() }
    await fairlead(['user', 'create', 'ada@example.com'], folder, 'a password of a user\n')
    const head = (await fairlead(['audit', 'verify'], folder)).output.trim().slice(-64)
    const file = new DatabaseSync(join(folder.FAIRLEAD_DATA_DIR, 'fairlead.db'))
    file.exec('delete from audit_entries; delete from audit_months; delete from audit_heads')
    file.close()
    expect(await fairlead(['audit', 'verify'], folder)).toEqual({
      code: 1,
      output: 'The audit log has no entries.\nThe audit log is not whole: no head was signed, or it was removed.\n',
    })
    expect((await fairlead(['audit', 'verify', '--expect', head], folder)).code).toBe(1)
  })
})

function command(args: readonly string[]) {
  return ['--conditions=@fairlead/source', main, ...args]
}

function environment(set: Readonly<Record<string, string>> = {}) {
  // A variable of the machine that runs the tests must not name its data.
  const kept = Object.entries(process.env).filter(([name]) => !/^(FAIRLEAD_|DATABASE_URL|PORT|HOST)/.test(name))
  return { ...Object.fromEntries(kept), ...set }
}

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'fairlead-cli-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Runs the command to its end, with its output on both streams. */
async function fairlead(args: readonly string[], set: Readonly<Record<string, string>> = {}, input = '', cwd = '.') {
  return new Promise<{ code: number; output: string }>((resolve) => {
    const child = execFile(process.execPath, command(args), { cwd, env: environment(set) }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), output: stdout + stderr }),
    )
    child.stdin?.end(input)
  })
}
