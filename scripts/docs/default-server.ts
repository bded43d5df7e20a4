import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { local } from '@fairlead/provider-local'
import { readConfig } from '@fairlead/server/config'
import { start } from '@fairlead/server/start'

/** The service as `npm start` runs it on an empty directory, on a free port. Models load on their first use. */
export interface DefaultServer {
  readonly url: string
  readonly port: number
  /** The API key of the first admin. */
  readonly key: string
  /** The one-time token that logs the first admin in to the dashboard. */
  readonly signInToken: string
  stop(): Promise<void>
}

export async function startDefaultServer(environment: Readonly<Record<string, string>> = {}): Promise<DefaultServer> {
  const directory = mkdtempSync(join(tmpdir(), 'fairlead-docs-'))
  const config = await readConfig({
    PORT: '0',
    // Tests send more requests without a key than people.
    FAIRLEAD_ANONYMOUS_REQUESTS_PER_MINUTE: '0',
    FAIRLEAD_DATA_DIR: directory,
    FAIRLEAD_PROVIDERS: 'local',
    ...environment,
  })
  const logTo = new Writable({ write: (_line, _encoding, done) => done() })
  const service = { name: 'Fairlead', version: 'docs' }
  const { warmUp: _warmUp, ...provider } = local()
  const loadProviders = async () => [provider]
  const { baseUrl, port, firstAdmin, stop } = await start(config, { service, logTo, loadProviders, graceMs: 0 })
  return {
    url: baseUrl,
    port,
    key: firstAdmin?.apiKey ?? '',
    signInToken: firstAdmin?.signInToken ?? '',
    async stop() {
      await stop()
      rmSync(directory, { recursive: true })
    },
  }
}
