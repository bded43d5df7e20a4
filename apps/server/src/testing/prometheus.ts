import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { freePort } from '@fairlead/storage/testing'

/** Whether Prometheus is installed. If not, warns on standard error and returns false; throws in CI. */
export function findPrometheus(environment: Readonly<Record<string, string | undefined>> = process.env): boolean {
  if (['prometheus', 'promtool'].every((name) => spawnSync(name, ['--version']).status === 0)) return true
  const missing = 'prometheus and promtool not found in PATH; on Debian: apt-get install prometheus'
  if (environment['CI'] === 'true') throw new Error(`CI requires Prometheus: ${missing}`)
  process.stderr.write(`\n*** SKIPPED: the tests with Prometheus (${missing}). ***\n\n`)
  return false
}

/** Runs promtool. Returns its exit code and what it printed. */
export function promtool(...args: readonly string[]): { readonly code: number | null; readonly output: string } {
  const { status, stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8' })
  return { code: status, output: stdout + stderr }
}

export interface Prometheus {
  /** The names of the alerts that fire. */
  firing(): Promise<readonly string[]>
  /** The values of an expression. */
  query(expression: string): Promise<readonly number[]>
  stop(): Promise<void>
}

/** Starts Prometheus in a folder, with that configuration and those rules as `alerts.yaml`. */
export async function startPrometheus(folder: string, config: object, rules: object): Promise<Prometheus> {
  const configFile = join(folder, 'prometheus.yaml')
  writeFileSync(configFile, stringify(config))
  writeFileSync(join(folder, 'alerts.yaml'), stringify(rules))
  const url = `http://127.0.0.1:${await freePort()}`
  const child = spawn(
    'prometheus',
    [
      `--config.file=${configFile}`,
      `--storage.tsdb.path=${join(folder, 'prometheus')}`,
      `--web.listen-address=${new URL(url).host}`,
    ],
    { stdio: 'ignore' },
  )
  const get = async <Data>(path: string): Promise<Data> => {
    const response = await fetch(`${url}/api/v1/${path}`)
    return ((await response.json()) as { readonly data: Data }).data
  }
  return {
    async firing() {
      const { alerts } = await get<{ readonly alerts: readonly Alert[] }>('alerts').catch(() => ({ alerts: [] }))
      return alerts.filter(({ state }) => state === 'firing').map(({ labels }) => labels.alertname)
    },
    async query(expression) {
      const search = new URLSearchParams({ query: expression })
      const { result } = await get<Vector>(`query?${search}`).catch(() => ({ result: [] }))
      return result.map(({ value }) => Number(value[1]))
    },
    async stop() {
      const exited = once(child, 'exit')
      child.kill('SIGKILL')
      await exited
    },
  }
}

interface Alert {
  readonly state: string
  readonly labels: { readonly alertname: string }
}

interface Vector {
  readonly result: readonly { readonly value: readonly [number, string] }[]
}
