import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
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

  test.for(['cluster', 'single'])('the values of the Helm chart of the example %s are accepted', (name) => {
    accepts({ ...defaults, ...parse(read(`${chart}/ci/${name}.yaml`)) })
    expect(accepts.errors).toBeNull()
  })

  test.for([
    ['without a database', {}],
    ['with several nodes on one volume', { replicaCount: 2, persistence: { enabled: true } }],
    ['with a base URL without a scheme', { existingSecret: 'fairlead', baseUrl: 'ai.example.com' }],
    ['with less time to stop than requests have', { existingSecret: 'fairlead', terminationGracePeriodSeconds: 30 }],
    ['with a misspelled name', { existingSecret: 'fairlead', replicas: 3 }],
  ] as const)('%s are rejected', ([, values]) => {
    expect(accepts({ ...defaults, ...values })).toBe(false)
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
