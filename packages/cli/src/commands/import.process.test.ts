import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkConfig } from '@fairlead/server/check-config'
import { describe, expect, onTestFinished, test } from 'vitest'

const main = join(import.meta.dirname, '../main.ts')

const litellm = `
model_list:
  - model_name: gpt-4o
    litellm_params: { model: azure/gpt-4o-eu, api_base: https://eu.openai.azure.com/, api_key: sk-hidden, rpm: 6 }
  - model_name: gpt-4o
    litellm_params: { model: gpt-4o, api_key: os.environ/OPENAI_API_KEY, rpm: 12 }
router_settings: { fallbacks: [{ gpt-4o: [none] }] }
`

describe('fairlead import', () => {
  test.for(['fairlead.config.ts', 'fairlead.config.json'])(
    'fairlead import writes %s, which passes the check',
    async (file) => {
      const { folder, fairlead } = world({ 'config.yaml': litellm })
      const { code, output, errors } = await fairlead('litellm', 'config.yaml', '--output', file)
      expect([code, output]).toEqual([0, `Wrote ${file}. Check it with "fairlead config check".\n`])
      expect(errors).toContain(
        'note  router_settings.fallbacks[0].gpt-4o: "none" is no model of model_list that could be imported\n',
      )
      const { issues, providers } = await checkConfig({}, folder)
      expect([issues, providers.map(({ name }) => name)]).toEqual([[], ['azure', 'openai']])
      expect(readFileSync(join(folder, file), 'utf8')).not.toContain('sk-hidden')
      expect(errors).not.toContain('sk-hidden')
    },
  )

  test('fairlead import prints the configuration alone on standard output', async () => {
    const { folder, fairlead } = world({ 'config.yaml': litellm })
    const { output } = await fairlead('litellm', 'config.yaml')
    writeFileSync(join(folder, 'fairlead.config.ts'), output)
    expect((await checkConfig({}, folder)).issues).toEqual([])
  })

  test('fairlead import overwrites nothing', async () => {
    const { folder, fairlead } = world({ 'config.yaml': litellm, 'fairlead.config.ts': 'export default {}\n' })
    expect(await fairlead('litellm', 'config.yaml', '-o', 'fairlead.config.ts')).toMatchObject({
      code: 1,
      errors: 'fairlead.config.ts exists already. Move it away, or choose another --output.\n',
    })
    expect(readFileSync(join(folder, 'fairlead.config.ts'), 'utf8')).toBe('export default {}\n')
  })

  test('fairlead import names each invalid field of a document', async () => {
    const { fairlead } = world({ 'config.yaml': 'model_list: [{ model_name: a, litellm_params: { rpm: [1] } }]' })
    expect(await fairlead('litellm', 'config.yaml')).toMatchObject({
      code: 1,
      errors:
        'config.yaml: model_list[0].litellm_params.model is required\n' +
        'config.yaml: model_list[0].litellm_params.rpm must be a number\n',
    })
  })

  test('fairlead import names the line of invalid YAML', async () => {
    const { fairlead } = world({ 'config.yaml': 'model_list:\n  - model_name: *\n' })
    expect((await fairlead('litellm', 'config.yaml')).errors).toContain('config.yaml is not valid YAML: Alias cannot')
  })

  test('fairlead import names an alias of YAML that has no anchor', async () => {
    const { fairlead } = world({ 'config.yaml': 'model_list: *models\n' })
    expect((await fairlead('litellm', 'config.yaml')).errors).toMatch(/^config\.yaml is not valid YAML: .*: models\n$/)
  })

  test('fairlead import refuses a document of more than 1 MB', async () => {
    const { fairlead } = world({ 'config.yaml': `# ${'x'.repeat(1_000_000)}` })
    expect(await fairlead('litellm', 'config.yaml')).toMatchObject({
      code: 1,
      errors: 'config.yaml is larger than 1 MB.\n',
    })
  })

  test('fairlead import translates a Portkey config, with the providers of its virtual keys', async () => {
    const targets = [{ virtual_key: 'main' }, { provider: 'anthropic', override_params: { model: 'claude-sonnet-5' } }]
    const { fairlead } = world({ 'config.json': JSON.stringify({ strategy: { mode: 'fallback' }, targets }) })
    const args = ['portkey', 'config.json', '--model', 'gpt-5.6']
    expect((await fairlead(...args)).errors).toBe(
      'targets[0].virtual_key "main" does not say its provider: name it with --virtual-key main=openai\n',
    )
    const { output } = await fairlead(...args, '--virtual-key', 'main=openai', '--json')
    expect(JSON.parse(output)).toMatchObject({
      config: { routes: { 'gpt-5.6': { targets: ['main/gpt-5.6', 'anthropic/claude-sonnet-5'] } } },
      notes: ['targets[0].virtual_key: put the key behind "main" into the variable MAIN_API_KEY'],
    })
  })
})

/** A folder with files, and the command in it. */
function world(files: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(join(tmpdir(), 'fairlead-import-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  const fairlead = (...args: readonly string[]) =>
    new Promise<{ code: number; output: string; errors: string }>((resolve) => {
      const command = ['--conditions=@fairlead/source', main, 'import', ...args]
      execFile(process.execPath, command, { cwd: folder }, (error, output, errors) =>
        resolve({ code: Number(error?.code ?? 0), output, errors }),
      )
    })
  return { folder, fairlead }
}
