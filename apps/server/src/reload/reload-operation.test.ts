import { setImmediate } from 'node:timers/promises'
import { accounts, audit, makeFirstAdmin } from '@fairlead/accounts'
import { createFairlead } from '@fairlead/core'
import { operations } from '@fairlead/testing/workspace'
import { memoryStores } from '@fairlead/core/stores'
import { plainPasswords, testClock } from '@fairlead/testing'
import { pino } from 'pino'
import { describe, expect, test, vi } from 'vitest'
import { ConfigError } from '../config-error.ts'
import { createReload, type Reload, type ReloadAll } from './create-reload.ts'
import { administration } from './reload-operation.ts'

const none = { added: [], removed: [], changed: [] }
const report = { providers: { ...none, changed: ['rack'] }, routes: none, needsRestart: ['PORT'], processes: 1 }

async function setup(reload: Reload) {
  const features = [accounts({ passwords: plainPasswords() }), audit(), administration(reload)] as const
  const stores = memoryStores({ features })
  const fairlead = createFairlead({ providers: [], features, stores })
  const { core } = fairlead
  const admin = await makeFirstAdmin(core, stores, { email: 'admin@example.com' })
  const operation = core.operations.find(({ name }) => name === 'reloadConfiguration')!
  const entries = () => fairlead.audit.list({ action: 'reloadConfiguration' })
  return { fairlead, core, operation, entries, credentials: { kind: 'bearer', token: admin!.apiKey } as const }
}

describe('reloadConfiguration', () => {
  test('reloadConfiguration needs a key with the scope admin, which the first key of the first admin has', async () => {
    const { core, operation, credentials } = await setup(async () => report)
    const keyWith = async (scopes: readonly string[]) => {
      const reply = await core.run(operations.createApiKey, credentials, { name: 'key', scopes })
      if (!reply.success) throw new Error(reply.error.message)
      return { kind: 'bearer', token: reply.data.secret } as const
    }
    const forbidden = { error: { code: 'FORBIDDEN' } }
    expect(await core.run(operation, credentials, {})).toMatchObject({ success: true })
    expect(await core.run(operation, await keyWith(['admin']), {})).toMatchObject({ success: true })
    const others = Object.keys(core.scopes).filter((scope) => scope !== 'admin')
    expect(await core.run(operation, await keyWith(others), {})).toMatchObject(forbidden)
  })

  test('reloadConfiguration needs an admin', async () => {
    const { fairlead, core, operation } = await setup(async () => report)
    const { accessToken: token } = await fairlead.sessions.signup({
      email: 'ada@example.com',
      password: 'a long password',
      name: 'Ada',
    })
    const reply = await core.run(operation, { kind: 'bearer', token }, {})
    expect(reply).toMatchObject({ error: { code: 'FORBIDDEN' } })
  })
})

const minute = 60_000

/** Nodes on the same stores, whose jobs run. */
function nodesWith(reloads: readonly Reload[]) {
  const clock = testClock()
  const featuresOf = (reload: Reload, onReloaded: (at: number) => void) =>
    [accounts({ passwords: plainPasswords() }), administration(reload, onReloaded)] as const
  const stores = memoryStores({ features: featuresOf(reloads[0]!, () => {}), clock })
  const reloaded: number[] = []
  return {
    clock,
    stores,
    reloaded,
    cores: reloads.map((reload, index) => {
      const features = featuresOf(reload, (at) => (reloaded[index] = at))
      return createFairlead({ providers: [], features, stores, testing: { clock } }).core
    }),
    async pass(ms: number) {
      clock.advance(ms)
      await setImmediate()
    },
  }
}

describe('reloadConfiguration on several nodes', () => {
  test('reloadConfiguration reloads the other nodes within the seconds that its response names', async () => {
    const [here, there] = [vi.fn<Reload>(async () => report), vi.fn<Reload>(async () => report)]
    const { clock, stores, cores, reloaded, pass } = nodesWith([here, there])
    const admin = await makeFirstAdmin(cores[0]!, stores, { email: 'admin@example.com' })
    for (const core of cores) core.startJobs()
    await pass(0)
    const at = clock.now()
    const operation = cores[0]!.operations.find(({ name }) => name === 'reloadConfiguration')!
    const reply = await cores[0]!.run(operation, { kind: 'bearer', token: admin!.apiKey }, {})
    expect(reply).toMatchObject({ data: { processes: 1, otherNodesWithinSeconds: 60 } })
    expect(there).not.toHaveBeenCalled()
    await pass(minute)
    expect(there.mock.calls).toEqual([[{ trigger: 'another node', at }]])
    expect(reloaded).toEqual([at, at])
    await pass(10 * minute)
    expect(there).toHaveBeenCalledTimes(1)
  })

  test('reloadConfiguration shows its own node as reloaded at once, so that the others differ until they are', async () => {
    const { clock, stores, cores, reloaded, pass } = nodesWith([async () => report, async () => report])
    const admin = await makeFirstAdmin(cores[0]!, stores, { email: 'admin@example.com' })
    for (const core of cores) core.startJobs()
    await pass(0)
    const operation = cores[0]!.operations.find(({ name }) => name === 'reloadConfiguration')!
    await cores[0]!.run(operation, { kind: 'bearer', token: admin!.apiKey }, {})
    expect(reloaded).toEqual([clock.now(), 0])
  })

  test('reloadConfiguration on two nodes at once reloads both again, because either may have read before the other was asked', async () => {
    const slow = Promise.withResolvers<void>()
    const [first, second] = [
      vi.fn<ReloadAll>(() => slow.promise.then(() => report)),
      vi.fn<ReloadAll>(async () => report),
    ]
    const silent = pino({ level: 'silent' })
    const { stores, cores, pass } = nodesWith([createReload(first, silent), createReload(second, silent)])
    const admin = await makeFirstAdmin(cores[0]!, stores, { email: 'admin@example.com' })
    for (const core of cores) core.startJobs()
    await pass(0)
    const ask = (core: (typeof cores)[number]) =>
      core.run(
        core.operations.find(({ name }) => name === 'reloadConfiguration')!,
        { kind: 'bearer', token: admin!.apiKey },
        {},
      )
    const asked = ask(cores[0]!)
    await expect.poll(() => first.mock.calls.length).toBe(1)
    await pass(1_000)
    await ask(cores[1]!)
    slow.resolve()
    await asked
    await pass(minute)
    expect([first.mock.calls.length, second.mock.calls.length]).toEqual([2, 2])
  })

  test('reloadConfiguration for the signal leaves other nodes alone', async () => {
    const there = vi.fn<Reload>(async () => report)
    const { cores, pass } = nodesWith([async () => report, there])
    for (const core of cores) core.startJobs()
    const operation = cores[0]!.operations.find(({ name }) => name === 'reloadConfiguration')!
    await cores[0]!.run(operation, { kind: 'embedded' }, {})
    await pass(minute)
    expect(there).not.toHaveBeenCalled()
  })

  test('reloadConfiguration reloads a node that starts meanwhile, and none that starts later', async () => {
    const [soon, late] = [vi.fn<Reload>(async () => report), vi.fn<Reload>(async () => report)]
    const { stores, cores, reloaded, pass } = nodesWith([async () => report, soon, late])
    const admin = await makeFirstAdmin(cores[0]!, stores, { email: 'admin@example.com' })
    const operation = cores[0]!.operations.find(({ name }) => name === 'reloadConfiguration')!
    await cores[0]!.run(operation, { kind: 'bearer', token: admin!.apiKey }, {})
    cores[1]!.startJobs()
    await pass(0)
    expect(soon).toHaveBeenCalledTimes(1)
    await pass(1_000 * minute)
    cores[2]!.startJobs()
    await pass(0)
    expect(late).not.toHaveBeenCalled()
    expect(reloaded[2]).toBe(reloaded[1])
  })

  test('reloadConfiguration that fails on another node is not repeated there, and is not shown as done', async () => {
    const there = vi.fn<Reload>(() => Promise.reject(new ConfigError('routes.smart is invalid')))
    const { stores, cores, reloaded, pass } = nodesWith([async () => report, there])
    const admin = await makeFirstAdmin(cores[0]!, stores, { email: 'admin@example.com' })
    cores[1]!.startJobs()
    await pass(0)
    const operation = cores[0]!.operations.find(({ name }) => name === 'reloadConfiguration')!
    await cores[0]!.run(operation, { kind: 'bearer', token: admin!.apiKey }, {})
    await pass(5 * minute)
    expect(there).toHaveBeenCalledTimes(1)
    expect(reloaded[1]).toBe(0)
  })
})

describe('createReload', () => {
  test('createReload ignores what other nodes were asked for by this one', async () => {
    const all = vi.fn<ReloadAll>(async () => report)
    const reload = createReload(all, pino({ level: 'silent' }))
    await reload({ trigger: 'POST /admin/reload', at: 1_000 })
    await reload({ trigger: 'another node', at: 1_000 })
    expect(all).toHaveBeenCalledTimes(1)
    await reload({ trigger: 'another node', at: 2_000 })
    expect(all).toHaveBeenCalledTimes(2)
  })
})

describe('reloadConfiguration in the audit log', () => {
  test('reloadConfiguration in the audit log has who reloaded, and the names of what changed', async () => {
    const { core, operation, entries, credentials } = await setup(async () => report)
    await core.run(operation, credentials, {})
    expect(await entries()).toMatchObject([
      {
        actor: expect.stringMatching(/^usr_/),
        target: { type: 'configuration', id: null },
        before: null,
        after: { providers: report.providers, routes: none, needs_restart: ['PORT'] },
      },
    ])
  })

  test('reloadConfiguration in the audit log has the operator for the signal', async () => {
    const reload = vi.fn<Reload>(async () => report)
    const { core, operation, entries } = await setup(reload)
    await core.run(operation, { kind: 'embedded' }, {})
    expect(reload).toHaveBeenCalledWith({ trigger: 'SIGHUP' })
    expect(await entries()).toMatchObject([{ actor: 'operator', credential: null }])
  })

  test('reloadConfiguration in the audit log has no reload that failed', async () => {
    const { core, operation, entries, credentials } = await setup(async () => {
      throw new ConfigError('PORT must be a number')
    })
    expect(await core.run(operation, credentials, {})).toMatchObject({ error: { code: 'INVALID_REQUEST' } })
    expect(await entries()).toEqual([])
  })
})
