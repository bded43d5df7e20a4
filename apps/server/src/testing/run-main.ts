import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

const main = join(import.meta.dirname, '../main.ts')
const coldModels = { FAIRLEAD_PROVIDERS: 'local', FAIRLEAD_CONFIG: join(import.meta.dirname, 'cold-models.config.ts') }
/** With the compile cache of earlier processes, a process starts in half the time. */
export const compileCache = join(tmpdir(), 'fairlead-compiled')

/** The server in its own process. */
export interface MainProcess {
  readonly pid: number
  /** Its output so far, of both streams. */
  readonly output: string
  /** The file that the first start wrote to the data folder: the API key of the admin, and commands to try. */
  readonly firstLogin: string
  /** The address that it logs once it listens. Rejects if it exits before. */
  readonly url: Promise<string>
  /** Its exit code, or the signal that killed it. */
  readonly end: Promise<number | string | null>
  signal(name: NodeJS.Signals): void
}

/**
 * Starts the server on a free port, with the local models cold unless `FAIRLEAD_PROVIDERS` names others. It is killed when
 * the test ends, if it still runs.
 *
 * @param directory the working directory, with its configuration; default: an empty one
 * @param program the `main.ts` of another version; default: of this one
 */
export function runMain(
  environment: Readonly<Record<string, string>>,
  directory: string = temporaryFolder(),
  program: string = main,
): MainProcess {
  const child = spawn(process.execPath, ['--conditions=@fairlead/source', program], {
    cwd: directory,
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: compileCache,
      PORT: '0',
      // Tests send more requests without a key than people.
      FAIRLEAD_ANONYMOUS_REQUESTS_PER_MINUTE: '0',
      ...(environment['FAIRLEAD_PROVIDERS'] === undefined && coldModels),
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const { FAIRLEAD_DATA_DIR: dataDirectory = join(directory, 'data') } = environment
  let output = ''
  const end = new Promise<number | string | null>((resolve) => {
    child.on('close', (code, signal) => resolve(code ?? signal))
  })
  const url = new Promise<string>((resolve, reject) => {
    const take = (text: string) => {
      output += text
      const [, address] = / listens on (\S+),/.exec(output) ?? []
      if (address) resolve(address)
    }
    child.stdout.setEncoding('utf8').on('data', take)
    child.stderr.setEncoding('utf8').on('data', take)
    void end.then(() => reject(new Error(`it ended before it listened: ${output}`)))
  })
  // Tests of a failing start await only the exit.
  url.catch(() => {})
  onTestFinished(() => void child.kill('SIGKILL'))
  return {
    pid: child.pid ?? 0,
    get output() {
      return output
    },
    get firstLogin() {
      return readFileSync(join(dataDirectory, 'first-login.txt'), 'utf8')
    },
    url,
    end,
    signal: (name) => void child.kill(name),
  }
}

/** A folder that is removed when the test ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'fairlead-server-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** The child processes of a process, on Linux. */
export function findChildren(pid: number): readonly number[] {
  const list = `/proc/${pid}/task/${pid}/children`
  return existsSync(list) ? readFileSync(list, 'utf8').trim().split(' ').filter(Boolean).map(Number) : []
}
