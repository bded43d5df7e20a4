import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { validate as lintDockerfile } from 'dockerfile-utils'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'

describe('the Dockerfile', () => {
  test('the Dockerfile has no fault that a linter finds', () => {
    expect(lintDockerfile(read('Dockerfile'))).toEqual([])
  })
})

describe('the Compose files', () => {
  // Ajv knows the dialect that it names under another URL.
  const { $schema: _dialect, ...schema } = JSON.parse(read('node_modules/dclint/schemas/compose.schema.json'))
  const isValid = new Ajv({ strict: false, validateFormats: false }).compile(schema)

  test.for(['compose.yaml', 'compose.cluster.yaml'])('%s follows the Compose specification', (file) => {
    isValid(parse(read(file), { merge: true }))
    expect(isValid.errors).toBeNull()
  })

  test('a misspelled field is found', () => {
    expect(isValid({ services: { fairlead: { image: 'fairlead', read_onyl: true } } })).toBe(false)
  })
})

describe('the values of the Helm chart', () => {
  const chart = 'deploy/helm/fairlead'
  const defaults = parse(read(`${chart}/values.yaml`))
  const accepts = new Ajv({ strict: false }).compile(JSON.parse(read(`${chart}/values.schema.json`)))

  test.for(['cluster', 'single', 'openshift'])(
    'the values of the Helm chart of the example %s are accepted',
    (name) => {
      accepts({ ...defaults, ...parse(read(`${chart}/ci/${name}.yaml`)) })
      expect(accepts.errors).toBeNull()
    },
  )

  test.for([
    ['without a database', {}],
    ['with several nodes on one volume', { replicaCount: 2, persistence: { enabled: true } }],
    ['with a base URL without a scheme', { existingSecret: 'fairlead', baseUrl: 'ai.example.com' }],
    ['with less time to stop than requests have', { existingSecret: 'fairlead', terminationGracePeriodSeconds: 30 }],
    ['with a variable without a name', { existingSecret: 'fairlead', extraEnv: [{ value: 'x' }] }],
    ['with a database that is not named', { extraEnv: [{ name: 'OPENAI_API_KEY', value: 'x' }] }],
    [
      'with a monitor of metrics that are off',
      { existingSecret: 'fairlead', metrics: { enabled: false, serviceMonitor: { enabled: true } } },
    ],
    ['with a misspelled name', { existingSecret: 'fairlead', replicas: 3 }],
  ] as const)('%s are rejected', ([, values]) => {
    expect(accepts({ ...defaults, ...values })).toBe(false)
  })
})

describe('the templates of the Helm chart', () => {
  const chart = 'deploy/helm/fairlead'
  const templates = Object.fromEntries(
    readdirSync(`${chart}/templates`).map((name) => [name, read(`${chart}/templates/${name}`)]),
  )
  const defaults = parse(read(`${chart}/values.yaml`)) as Readonly<Record<string, object>>

  test('the alerts of the chart are those of deploy/prometheus', () => {
    expect(read(`${chart}/alerts.yaml`)).toBe(read('deploy/prometheus/alerts.yaml'))
    expect(templates['monitoring.yaml']).toContain('.Files.Get "alerts.yaml"')
  })

  test('each value of the chart is used by a template', () => {
    const text = Object.values(templates).join('\n')
    expect(Object.keys(defaults).filter((name) => !text.includes(`.Values.${name}`))).toEqual([])
  })

  test.for(['extraVolumes', 'extraVolumeMounts', 'podSecurityContext'])(
    '%s apply to the nodes and to the job that migrates',
    (name) => {
      for (const each of ['deployment.yaml', 'migrate.yaml']) expect(templates[each]).toContain(`.Values.${name} }}`)
    },
  )

  test('no template has a fixed user id', () => {
    expect(Object.values(templates).join('\n')).not.toContain('65532')
  })

  test('the chart scales by a metric that the service has', () => {
    const [, name = ''] = /name: (fairlead_\w+)/.exec(templates['scaling.yaml']!)!
    expect(read('apps/server/src/process-metrics.ts')).toContain(`name: '${name}'`)
  })
})

describe('the systemd unit', () => {
  const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0

  test.runIf(hasSystemd)('the systemd unit passes systemd-analyze', () => {
    const folder = mkdtempSync(join(tmpdir(), 'fairlead-unit-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const unit = join(folder, 'fairlead.service')
    writeFileSync(unit, read('deploy/systemd/fairlead.service').replaceAll('/opt/fairlead/bin/node', process.execPath))
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  })
})

function read(path: string): string {
  return readFileSync(path, 'utf8')
}
