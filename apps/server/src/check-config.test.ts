import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { checkConfig } from './check-config.ts'

describe('checkConfig', () => {
  test('checkConfig lists the providers that would load, with what enables each', async () => {
    const file = { providers: [{ use: 'mirror', id: 'copy' }] }
    expect(await checkConfig({}, folderWith(file))).toEqual({
      issues: [],
      warnings: [],
      providers: [{ name: 'copy', reason: 'fairlead.config.json', issues: [] }],
      file: 'fairlead.config.json',
    })
  })

  test('checkConfig names every invalid variable and every invalid field at once', async () => {
    const { issues } = await checkConfig({ PORT: 'x', LOG_LEVEL: 'loud' }, folderWith({ providrs: [] }))
    expect(issues.map((issue) => issue.split(' ').slice(0, 2).join(' '))).toEqual([
      'PORT must',
      'LOG_LEVEL must',
      'fairlead.config.json: providrs',
    ])
  })

  test('checkConfig checks the options of providers while variables and other fields are invalid', async () => {
    const file = { providrs: [], providers: [{ use: 'openai', apiKey: { env: 'TEAM_KEY' } }] }
    const { issues, providers } = await checkConfig({ PORT: 'x' }, folderWith(file))
    expect(issues).toHaveLength(2)
    expect(providers.flatMap((provider) => provider.issues)).toEqual([
      'fairlead.config.json: providers[0].apiKey names the variable TEAM_KEY, which is not set',
    ])
  })

  test('checkConfig names each variable of a provider that is not set', async () => {
    const { providers } = await checkConfig(
      {},
      folderWith({ providers: [{ use: 'openai', apiKey: { env: 'TEAM_KEY' } }] }),
    )
    expect(providers[0]?.issues).toEqual([
      'fairlead.config.json: providers[0].apiKey names the variable TEAM_KEY, which is not set',
    ])
  })

  test('checkConfig warns of a misspelled variable', async () => {
    const { warnings } = await checkConfig({ FAIRLEAD_WORKER: '2' }, folderWith({}))
    expect(warnings).toEqual(['Unknown environment variable FAIRLEAD_WORKER; did you mean FAIRLEAD_WORKERS?'])
  })

  test('checkConfig warns of misspelled variables also if others are missing, because these may be the ones meant', async () => {
    const environment = { DATABASE_URL: 'postgres://db/fairlead', FAIRLEAD_SECRT_KEY: 'k'.repeat(32), OPENAI_KEY: 'x' }
    const { issues, warnings } = await checkConfig(environment, folderWith({}))
    expect(issues).toEqual([expect.stringContaining('FAIRLEAD_SECRET_KEY is required')])
    expect(warnings).toEqual([
      'Unknown environment variable FAIRLEAD_SECRT_KEY; did you mean FAIRLEAD_SECRET_KEY?',
      'Unknown environment variable OPENAI_KEY; did you mean OPENAI_API_KEY?',
    ])
  })
})

function folderWith(config: object): string {
  const folder = mkdtempSync(join(tmpdir(), 'fairlead-check-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'fairlead.config.json'), JSON.stringify(config))
  return folder
}
