import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { skipReason } from '../testing/clients/run-client.ts'
import { platformSuite } from '../testing/platforms/platform-suite.ts'
import { bundleWorker, platforms } from '../testing/platforms/platforms.ts'

platformSuite('workers')

/** Runs the text of an expression in a worker, and returns its result as text. */
async function evaluate(imports: string, expression: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'fairlead-worker-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const contents = `${imports}
async function answer() { try { return String(await (${expression})) } catch (error) { return error.message } }
export default { fetch: async () => new Response(await answer()) }`
  const bundle = await bundleWorker('workers', { stdin: { contents, resolveDir: import.meta.dirname } }, folder)
  const running = await platforms.workers.start(bundle, {})
  onTestFinished(() => void running.stop())
  return (await fetch(running.url)).text()
}

describe.skipIf(skipReason('workers'))('packages on Cloudflare Workers', () => {
  test('docs/embedding.md shows the worker that is tested', () => {
    const root = join(import.meta.dirname, '../../../..')
    const source = readFileSync(join(root, 'examples/workers/worker.ts'), 'utf8').replace(/^\/\/ oxlint.*\n/m, '')
    expect(readFileSync(join(root, 'docs/embedding.md'), 'utf8')).toContain(`\`\`\`ts norun\n${source}\`\`\``)
  })

  test('the providers of Anthropic and Google create their models', async () => {
    const imports = `import { anthropic } from '@fairlead/provider-anthropic'
import { google } from '@fairlead/provider-google'`
    const make = "[anthropic, google].map((each) => each({ apiKey: 'sk-1', models: 'catalog' }).models.length > 0)"
    expect(await evaluate(imports, make)).toBe('true,true')
  })

  test('images of Google are rejected, because they may need native code', async () => {
    const call = `google({ apiKey: 'sk-1', models: 'catalog' }).generateImage({}, {})`
    expect(await evaluate("import { google } from '@fairlead/provider-google'", call)).toBe(
      'google: images need @napi-rs/canvas, which Cloudflare Workers cannot load',
    )
  })

  test.each([
    [
      '@fairlead/provider-local',
      'local',
      /^@fairlead\/provider-local needs worker threads, which Cloudflare Workers do/,
    ],
    ['@fairlead/storage', 'sqliteStores', /^sqliteStores of @fairlead\/storage does not run on Cloudflare Workers/],
  ])('%s says that it does not run there', async (name, factory, message) => {
    expect(await evaluate(`import { ${factory} } from '${name}'`, `${factory}({ path: 'data.db' })`)).toMatch(message)
  })
})
