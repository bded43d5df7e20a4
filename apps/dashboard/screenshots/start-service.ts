import { spawn } from 'node:child_process'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../../..')

export interface Service {
  readonly url: string
  stop(): Promise<void>
}

/** Starts the service on a free port, in a separate process, with the data in a directory. */
export async function startService(data: string, secretKey: string): Promise<Service> {
  const service = spawn(process.execPath, ['--conditions=@fairlead/source', 'apps/server/src/main.ts'], {
    cwd: root,
    env: {
      PATH: process.env['PATH'],
      PORT: '0',
      FAIRLEAD_DATA_DIR: data,
      FAIRLEAD_SECRET_KEY: secretKey,
      FAIRLEAD_PROVIDERS: 'local',
      FAIRLEAD_WEBHOOKS_ALLOW_NETWORKS: '127.0.0.1',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<void>((resolve) => service.on('exit', () => resolve()))
  let output = ''
  const url = await new Promise<string>((resolve, reject) => {
    service.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
      const [, address] = / listens on (\S+),/.exec(output) ?? []
      if (address) resolve(address)
    })
    void ended.then(() => reject(new Error(`the service ended: ${output}`)))
  })
  return {
    url,
    async stop() {
      service.kill('SIGTERM')
      await ended
    },
  }
}
