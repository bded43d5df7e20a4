import { accounts, audit, createFairlead, makeFirstAdmin, operations } from '@fairlead/core'
import { memoryStores } from '@fairlead/core/stores'
import { plainPasswords } from '@fairlead/testing'
import { describe, expect, test, vi } from 'vitest'
import { ConfigError } from '../config-error.ts'
import { administration, type Reload } from './reload-operation.ts'

const none = { added: [], removed: [], changed: [] }
const report = { providers: { ...none, changed: ['rack'] }, routes: none, needsRestart: ['PORT'], processes: 1 }

async function setup(reload: Reload) {
  const features = [accounts({ passwords: plainPasswords() }), audit(), administration(reload)] as const
  const stores = memoryStores({ features })
  const core = createFairlead({ providers: [], features, stores })
  const admin = await makeFirstAdmin(core, stores, { email: 'admin@example.com' })
  const operation = core.operations.find(({ name }) => name === 'reloadConfiguration')!
  const entries = () => core.audit.list({ action: 'reloadConfiguration' })
  return { core, operation, entries, credentials: { kind: 'bearer', token: admin!.apiKey } as const }
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
    const { core, operation } = await setup(async () => report)
    const { accessToken: token } = await core.sessions.signup({
      email: 'ada@example.com',
      password: 'a long password',
      name: 'Ada',
    })
    const reply = await core.run(operation, { kind: 'bearer', token }, {})
    expect(reply).toMatchObject({ error: { code: 'FORBIDDEN' } })
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
