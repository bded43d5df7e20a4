import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const execute = promisify(execFile)

async function run(example: string): Promise<string> {
  const program = join(import.meta.dirname, '../examples', example, 'main.ts')
  const env = { ...process.env, PORT: '0', NO_COLOR: '1' }
  return (await execute(process.execPath, ['--conditions=@fairlead/source', program], { env })).stdout
}

test('GraphQL answers from a server other than Express', { timeout: 30_000 }, async () => {
  expect(JSON.parse(await run('graphql-hono'))).toMatchObject({ data: { generate: { meta: { provider: 'local' } } } })
})

test('REST and GraphQL answer from one app of Express, beside what is its own', { timeout: 30_000 }, async () => {
  const printed = await run('express')
  expect(printed).toMatch(/^A shop that writes its own texts\.$/m)
  expect(printed).toMatch(/success: true,[^]*provider: 'local'/)
  expect(printed).toMatch(/data: \{ models: \[ \[Object\], \[Object\] \] \}/)
})
