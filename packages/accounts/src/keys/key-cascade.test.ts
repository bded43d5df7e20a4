import { array, assert, asyncProperty, integer, nat, option, record } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { held, scripted, fakeTextModel, testCore } from '@fairlead/testing'
import { storedEvents, operations } from '@fairlead/testing/workspace'
import { toUsd } from '@fairlead/core/feature'
import type { Provider } from '@fairlead/core/provider'
import type { KeyLimits } from '@fairlead/core/stores'
import type { UserRow } from '../users/user.ts'
import { maxAncestors } from './ancestors.ts'

/** An answer costs $0.02, and reserves $0.10. */
const pricing = { input: 0, output: 1_000 }
const priced = <P extends Provider>(provider: P): P => ({ ...provider, models: [fakeTextModel({ pricing })] })
const calm = () => priced(scripted('calm', Array.from({ length: 20 }, () => 'word').join(' ')))

async function setup({ providers = [calm()], user }: { providers?: Provider[]; user?: Partial<UserRow> } = {}) {
  const world = await testCore({ providers })
  const { core, addCaller, stores } = world
  const { userId } = await addCaller({ user: { tier: 'enterprise', ...user } })
  /** A key with these limits that descends from another one. */
  async function key(limits: KeyLimits = {}, parent?: { readonly keyId: string }) {
    const created = await addCaller({
      key: {
        userId,
        scopes: ['generate', 'keys', 'models', 'usage'],
        limits,
        ...(parent && { createdBy: parent.keyId }),
      },
    })
    return { ...created, ask: (more: object = {}) => ask(created.credentials, more) }
  }
  const ask = (credentials: Awaited<ReturnType<typeof addCaller>>['credentials'], more: object = {}) =>
    core.run(
      operations.generate,
      credentials,
      { model: 'any', prompt: 'x', maxTokens: 100, ...more },
      { address: '10.0.0.1' },
    )
  /** The amounts that were spent and reserved of a total. */
  const readSpend = async (budget: string) => {
    const [found] = await stores.read((view) => view.spend.find([{ budget, period: 'total' }]))
    return found && [toUsd(found.spent), toUsd(found.reserved)]
  }
  const used = async (counter: string) => (await stores.read((view) => view.counters.peek(counter))).used
  return { ...world, userId, key, ask, readSpend, used }
}

const spent = { error: { code: 'BUDGET_EXCEEDED' } }

describe('the limits of a key hold for the keys that descend from it', () => {
  test('the limits of a key hold for the keys that descend from it, whose calls share its budget', async () => {
    const { key, readSpend } = await setup()
    const parent = await key({ budgetUsd: 0.13 })
    const children = [await key({}, parent), await key({ budgetUsd: 5 }, parent)]
    const grandchild = await key({}, children[0])
    expect(await grandchild.ask()).toMatchObject({ success: true })
    expect(await children[1]!.ask()).toMatchObject({ success: true })
    for (const each of [parent, ...children, grandchild]) expect(await each.ask()).toMatchObject(spent)
    expect(await readSpend(parent.keyId)).toEqual([0.04, 0])
    expect(await readSpend(children[1]!.keyId)).toEqual([0.02, 0])
  })

  test('the limits of a key hold for the keys that descend from it, and errors say so', async () => {
    const { key } = await setup()
    const parent = await key({ budgetUsd: 0.05, requestsPerMinute: 1 })
    const child = await key({}, parent)
    expect(await child.ask()).toMatchObject({
      error: {
        message: expect.stringContaining('The budget of the API key that this one descends from, $0.05 in total,'),
      },
    })
    expect(await child.ask()).toMatchObject({
      error: { code: 'RATE_LIMIT_EXCEEDED', message: expect.stringContaining(`the API key ${parent.keyId}`) },
    })
  })

  test('the limits of a key hold for the keys that descend from it, whose requests count toward its monthly quota', async () => {
    const { key, used } = await setup()
    const parent = await key({ quotaLimit: 3 })
    const child = await key({ quotaLimit: 2 }, parent)
    expect(await child.ask()).toMatchObject({ limits: { limit: 2, remaining: 1 } })
    expect(await parent.ask()).toMatchObject({ limits: { limit: 3, remaining: 1 } })
    expect(await child.ask({ model: 'none' })).toMatchObject({ success: false })
    expect(await child.ask()).toMatchObject({ limits: { remaining: 0 } })
    const other = await key({}, parent)
    expect(await other.ask()).toMatchObject({
      error: {
        code: 'QUOTA_EXCEEDED',
        message: expect.stringContaining(
          'The quota of 3 requests per month of the API key that this one descends from is used up.',
        ),
      },
    })
    expect([await used(parent.keyId), await used(child.keyId), await used(other.keyId)]).toEqual([3, 2, 0])
  })

  test('the limits of a key hold for the keys that descend from it, and a failed call refunds every unit', async () => {
    const { key, used } = await setup({ providers: [priced(scripted('empty', ''))] })
    const parent = await key({ quotaLimit: 3 })
    const child = await key({}, parent)
    await child.ask({ responseFormat: { type: 'json_schema', name: 'x', schema: { type: 'object' } }, topK: 0 })
    expect([await used(parent.keyId), await used(child.keyId)]).toEqual([0, 0])
  })

  test('the limits of a key hold for the keys that descend from it: the warning of its quota names it', async () => {
    const { key, stores } = await setup()
    const parent = await key({ quotaLimit: 1 })
    const child = await key({}, parent)
    await child.ask()
    const events = (await storedEvents(stores)).filter(({ type }) => type.startsWith('quota.'))
    expect(events.map(({ type, data }) => [type, data['id'], data['key_id']]).toSorted()).toEqual([
      ['quota.exceeded', parent.keyId, parent.keyId],
      ['quota.warning', parent.keyId, parent.keyId],
    ])
  })

  test('the limits of a key hold for the keys that descend from it, for calls at the same time and tokens', async () => {
    const slow = priced(held('slow'))
    const { key } = await setup({ providers: [slow] })
    const parent = await key({ maxConcurrency: 1, tokensPerMinute: 150 })
    const [one, other] = [await key({}, parent), await key({}, parent)]
    const running = one.ask()
    await expect.poll(() => slow.calls.length).toBe(1)
    expect(await other.ask()).toMatchObject({
      error: { message: expect.stringContaining('has a model call in progress') },
    })
    slow.release('done')
    expect(await running).toMatchObject({ success: true })
    const again = other.ask()
    await expect.poll(() => slow.calls.length).toBe(2)
    slow.release('done')
    expect(await again).toMatchObject({ success: true })
    expect(await one.ask({ maxTokens: 150 })).toMatchObject({
      error: { code: 'RATE_LIMIT_EXCEEDED', details: { limit: 'tokensPerMinute' } },
    })
  })

  test('the limits of a key hold for the keys that descend from it, for models and networks', async () => {
    const { key, core } = await setup()
    const parent = await key({ models: ['other', 'calm/*'], allowedNetworks: ['10.0.0.0/8'] })
    const child = await key({ models: ['any'] }, parent)
    expect(await child.ask()).toMatchObject({ success: true })
    const narrow = await key({ models: ['other'] }, parent)
    expect(await narrow.ask()).toMatchObject({ error: { code: 'FORBIDDEN' } })
    const outside = core.run(
      operations.generate,
      child.credentials,
      { model: 'any', prompt: 'x' },
      { address: '11.0.0.1' },
    )
    expect(await outside).toMatchObject({ error: { code: 'FORBIDDEN' } })
  })

  test('the limits of a key hold for the keys that descend from it at once when they change, and when it is revoked', async () => {
    const { key, fairlead } = await setup()
    const parent = await key()
    const child = await key({}, parent)
    expect(await child.ask()).toMatchObject({ success: true })
    await fairlead.apiKeys.update({ id: parent.keyId, budgetUsd: 0 })
    expect(await child.ask()).toMatchObject(spent)
    await fairlead.apiKeys.revoke({ id: parent.keyId })
    expect(await child.ask()).toMatchObject(spent)
  })

  test('the limits of a key hold for at most eight generations, and no key has more', async () => {
    const { key, core } = await setup()
    let last = await key({ budgetUsd: 0 })
    for (let n = 0; n < maxAncestors; n++) last = await key({}, last)
    expect(await last.ask()).toMatchObject(spent)
    expect(await core.run(operations.createApiKey, last.credentials, { name: 'x', scopes: ['keys'] })).toMatchObject({
      error: {
        code: 'FORBIDDEN',
        message: 'An API key can descend from at most 8 others. Create it with one of those, or in a session.',
      },
    })
  })

  test('the limits of a key hold for random trees of keys under concurrent calls: none spends more than its budget', async () => {
    const tree = array(
      record({
        parent: nat({ max: 5 }),
        budget: option(integer({ min: 0, max: 8 })),
        quota: option(nat({ max: 4 })),
      }),
      { minLength: 1, maxLength: 6 },
    )
    await assert(
      asyncProperty(tree, array(nat({ max: 5 }), { maxLength: 12 }), async (nodes, calls) => {
        const { key, readSpend, used } = await setup({ user: { budgetUsd: 1 } })
        const keys: {
          keyId: string
          ask: () => Promise<unknown>
          line: number[]
          budget: number | null
          quota: number | null
        }[] = []
        for (const [index, { parent, budget, quota }] of nodes.entries()) {
          const from = index === 0 ? undefined : keys[parent % index]
          const limits = {
            ...(budget !== null && { budgetUsd: budget / 10 }),
            ...(quota !== null && { quotaLimit: quota }),
          }
          const made = await key(limits, from)
          keys.push({ ...made, budget, quota, line: [...(from?.line ?? []), index] })
        }
        const asked = calls.map((call) => keys[call % keys.length]!)
        const replies = (await Promise.all(asked.map(({ ask }) => ask()))) as { readonly success: boolean }[]
        for (const [index, { keyId, budget, quota }] of keys.entries()) {
          const ofLine = asked.filter(({ line }, call) => line.includes(index) && replies[call]!.success).length
          const [spentUsd = 0] = (await readSpend(keyId)) ?? []
          expect(spentUsd).toBe(budget === null ? 0 : toUsd(ofLine * 2_000_000))
          expect(ofLine * 0.02).toBeLessThanOrEqual((budget ?? Infinity) / 10)
          expect(ofLine).toBeLessThanOrEqual(quota ?? Infinity)
          const own = asked.filter((each, call) => each.keyId === keyId && replies[call]!.success).length
          expect(await used(keyId)).toBe(quota === null ? own : ofLine)
        }
      }),
      { numRuns: Number(process.env['FUZZ_RUNS'] ?? 15) },
    )
  })
})

describe('a project', () => {
  const newProject = async (user: Partial<UserRow> = { budgetUsd: 0.13 }) => {
    const world = await setup({ user })
    const { fairlead, userId, ask } = world
    const { id } = await fairlead.projects.create({ name: 'Search', ownerId: userId })
    const { credentials, keyId } = await world.addCaller({ key: { userId: id } })
    return { ...world, id, keyId, askInProject: () => ask(credentials) }
  }

  test('a project uses the budget of the user who created it, as their other projects and keys do', async () => {
    const { askInProject, key, fairlead, userId, readSpend, ask, addCaller } = await newProject()
    expect(await askInProject()).toMatchObject({ success: true })
    const { id } = await fairlead.projects.create({ name: 'Ads', ownerId: userId })
    const inOther = await addCaller({ key: { userId: id } })
    expect(await ask(inOther.credentials)).toMatchObject({ success: true })
    expect(await (await key()).ask()).toMatchObject(spent)
    expect(await askInProject()).toMatchObject(spent)
    expect(await readSpend(userId)).toEqual([0.04, 0])
  })

  test('a project uses its own budget alone from when an admin funds it', async () => {
    const { askInProject, fairlead, id, userId, readSpend } = await newProject({ budgetUsd: 0 })
    expect(await askInProject()).toMatchObject(spent)
    await fairlead.projects.update({ id, funded: true, budgetUsd: 0.13 })
    expect(await askInProject()).toMatchObject({ success: true })
    expect(await readSpend(id)).toEqual([0.02, 0])
    expect(await readSpend(userId)).toEqual([0, 0])
  })

  test('a project follows a change of the budget of the user who created it at once', async () => {
    const { askInProject, fairlead, userId } = await newProject({ budgetUsd: null })
    expect(await askInProject()).toMatchObject({ success: true })
    await fairlead.users.patch({ id: userId, budgetUsd: 0 })
    expect(await askInProject()).toMatchObject(spent)
  })

  test('a project shows the budget that it uses', async () => {
    const { fairlead, id, userId } = await newProject()
    expect(await fairlead.usage.get({ userId: id })).toMatchObject({
      budgets: [{ kind: 'user', id: userId, limitUsd: 0.13 }],
    })
    await fairlead.projects.update({ id, funded: true })
    expect(await fairlead.usage.get({ userId: id })).toMatchObject({ budgets: [] })
  })
})
