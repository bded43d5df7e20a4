import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, onTestFinished, test } from 'vitest'
import { freePort } from '../testing/free-port.ts'
import { temporaryDirectory } from '../testing/temporary-directory.ts'
import { postgresStores } from './postgres-stores.ts'

const installed = '/usr/lib/postgresql'
const versions = existsSync(installed) ? readdirSync(installed).filter((name) => /^\d+$/.test(name)) : []
const binaries =
  versions.length > 0 ? join(installed, versions.toSorted((a, b) => Number(a) - Number(b)).at(-1)!, 'bin') : undefined

if (!binaries) {
  if (process.env['CI'] === 'true') throw new Error(`CI tests TLS: no PostgreSQL in ${installed}.`)
  process.stderr.write(`\n*** SKIPPED: the tests of TLS to PostgreSQL (none in ${installed}). ***\n\n`)
}

/** PostgreSQL does not run as root. */
function owner() {
  if (process.getuid?.() !== 0) return {}
  const id = (option: string) => Number(execFileSync('id', [option, 'postgres']).toString())
  return { uid: id('-u'), gid: id('-g') }
}

/** Starts a server whose certificate is for `localhost`, signed by an unknown authority. */
async function startServer(bin: string) {
  const folder = temporaryDirectory()
  chmodSync(folder, 0o755)
  const user = owner()
  const data = join(folder, 'data')
  mkdirSync(data, { mode: 0o700 })
  if (user.uid !== undefined) chownSync(data, user.uid, user.gid)
  execFileSync(join(bin, 'initdb'), ['-D', data, '-A', 'trust', '-U', 'postgres', '-E', 'UTF8', '-N'], user)
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' })
  const newKey = ['req', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  openssl(...newKey, '-x509', '-keyout', 'ca.key', '-out', 'ca.crt', '-subj', '/CN=Test authority')
  openssl(...newKey, '-keyout', 'data/server.key', '-out', 'server.csr', '-subj', '/CN=localhost')
  writeFileSync(join(folder, 'names'), 'subjectAltName=DNS:localhost')
  const signed = ['-in', 'server.csr', '-out', 'data/server.crt', '-extfile', 'names']
  openssl('x509', '-req', '-CA', 'ca.crt', '-CAkey', 'ca.key', '-CAcreateserial', ...signed)
  const key = join(data, 'server.key')
  chmodSync(key, 0o600)
  if (user.uid !== undefined) chownSync(key, user.uid, user.gid)
  const port = await freePort()
  const settings = ['ssl=on', 'unix_socket_directories=', 'listen_addresses=127.0.0.1', 'fsync=off']
  const child = spawn(
    join(bin, 'postgres'),
    ['-D', data, '-p', String(port), ...settings.flatMap((each) => ['-c', each])],
    {
      ...user,
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  )
  onTestFinished(async () => {
    child.kill('SIGQUIT')
    await once(child, 'exit')
  })
  for await (const line of createInterface(child.stderr)) if (line.includes('ready to accept connections')) break
  child.stderr.resume()
  return { port, authority: join(folder, 'ca.crt') }
}

describe.skipIf(!binaries)('TLS to PostgreSQL', () => {
  test('TLS to PostgreSQL with sslmode=verify-full accepts the right certificate, and says what to do about others', async () => {
    const { port, authority } = await startServer(binaries!)
    const open = async (host: string, query: string) => {
      const stores = await postgresStores({ url: `postgres://postgres@${host}:${port}/postgres?${query}` })
      await stores.close()
    }
    await open('localhost', `sslmode=verify-full&sslrootcert=${authority}`)
    await open('localhost', 'sslmode=no-verify')
    await expect(open('127.0.0.1', `sslmode=verify-full&sslrootcert=${authority}`)).rejects.toThrow(
      'set the host of the URL to a name in the certificate of the server',
    )
    await expect(open('localhost', 'sslmode=verify-full')).rejects.toThrow('add sslrootcert=/path/to/ca.crt to the URL')
  })
})
