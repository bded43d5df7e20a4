import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'

const program = `
import { registerHooks } from 'node:module'
registerHooks({
  resolve(specifier, context, next) {
    if (/vitest/.test(specifier)) throw new Error('loads ' + specifier + ' in ' + context.parentURL)
    return next(specifier, context)
  },
})
const { testCore } = await import('@fairlead/testing')
const { core } = await testCore()
const { content } = await core.generate({ model: 'any', prompt: 'Say hello' })
console.log(content)
`

test('@fairlead/testing runs without vitest', () => {
  const flags = ['--conditions=@fairlead/source', '--input-type=module', '--eval', program]
  const output = execFileSync(process.execPath, flags, { cwd: import.meta.dirname, encoding: 'utf8' })
  expect(output).toBe('hello there\n')
})
