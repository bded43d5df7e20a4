import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'

const program = `
import assert from 'node:assert/strict'
import { registerHooks } from 'node:module'
import { test } from 'node:test'

registerHooks({
  resolve(specifier, context, next) {
    if (/vitest/.test(specifier)) throw new Error('loads ' + specifier + ' in ' + context.parentURL)
    return next(specifier, context)
  },
})
const { failing, held, scripted, testClock, testCore } = await import('@fairlead/testing')
const input = { model: 'any', prompt: 'Say hello' }

test('scripted', async () => {
  const { fairlead } = await testCore({ providers: [scripted('a', 'hello there')] })
  assert.equal((await fairlead.generate(input)).content, 'hello there')
})

test('failing', async () => {
  const { fairlead } = await testCore({ providers: [failing('a', 'timeout')] })
  await assert.rejects(fairlead.generate(input), { code: 'PROVIDER_TIMEOUT' })
})

test('held', async () => {
  const provider = held('a')
  const { fairlead } = await testCore({ providers: [provider] })
  const work = fairlead.generate(input)
  while (provider.calls.length === 0) await new Promise(setImmediate)
  provider.release('released')
  assert.equal((await work).content, 'released')
})

test('testClock', () => {
  const clock = testClock('2026-01-01')
  let rang = false
  clock.schedule(1_000, () => (rang = true))
  clock.advance(999)
  assert.equal(rang, false)
  clock.advance(1)
  assert.equal(rang, true)
})
`

test('the fakes run in node:test, without vitest', () => {
  const flags = ['--conditions=@fairlead/source', '--input-type=module', '--test-reporter=tap', '--eval', program]
  const output = execFileSync(process.execPath, flags, { cwd: import.meta.dirname, encoding: 'utf8' })
  expect(output).toMatch(/^# pass 4$/m)
})
