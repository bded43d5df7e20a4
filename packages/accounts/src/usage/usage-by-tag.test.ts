import { describe, expect, test } from 'vitest'
import { operations } from '@fairlead/testing/workspace'
import { testCore } from '@fairlead/testing'

/** A caller whose key has the tag `team: search`, and who tags requests. */
async function tagging() {
  const setup = await testCore()
  const { credentials, userId } = await setup.addCaller({ key: { limits: { metadata: { team: 'search' } } } })
  const { run } = setup.core
  const ask = (tags?: Readonly<Record<string, string>>) =>
    run(operations.generate, credentials, { model: 'any', prompt: 'x' }, { tags })
  const series = (input: object, by = credentials) => run(operations.usageTimeseries, by, input)
  return { ...setup, run, credentials, userId, ask, series }
}

describe('the tags of a request', () => {
  test('the tags of a request come from the request and its key, and the key overrides the request', async () => {
    const { ask, run, credentials, clock } = await tagging()
    await ask()
    clock.advance(1)
    await ask({ env: 'prod', team: 'ads' })
    const listed = await run(operations.requests, credentials, {})
    expect(listed.success ? listed.data.map(({ tags }) => tags) : []).toEqual([
      { env: 'prod', team: 'search' },
      { team: 'search' },
    ])
  })

  test('the tags of a request are absent without any', async () => {
    const { core, caller } = await tagging()
    await core.run(operations.generate, caller, { model: 'any', prompt: 'x' })
    expect(await core.run(operations.requests, caller, {})).toMatchObject({ data: [{ tags: {} }] })
  })

  test.each([
    [{ '': 'x' }],
    [{ team: 'x'.repeat(129) }],
    [Object.fromEntries(Array.from({ length: 17 }, (_, n) => [`tag ${n}`, 'x']))],
  ])('the tags of a request reject the request if they are invalid: %j', async (tags) => {
    const { ask } = await tagging()
    expect(await ask(tags)).toMatchObject({ error: { code: 'INVALID_REQUEST', details: { field: 'tags' } } })
  })
})

describe('usage by tag', () => {
  test('usage by tag is grouped by value, by day, and by day and value', async () => {
    const { ask, series, clock } = await tagging()
    await ask({ env: 'prod' })
    await ask({ env: 'prod' })
    clock.advance(24 * 3_600_000)
    await ask({ env: 'test' })
    await ask()
    const groups = async (input: object) => {
      const reply = await series({ tag: 'env', ...input })
      return reply.success ? reply.data.groups.map(({ group, split, requests }) => [group, split, requests]) : reply
    }
    expect(await groups({ groupBy: 'tag' })).toEqual([
      ['prod', undefined, 2],
      ['test', undefined, 1],
    ])
    expect(await groups({})).toEqual([
      ['2026-03-14', undefined, 2],
      ['2026-03-15', undefined, 1],
    ])
    expect(await groups({ tagValue: 'test' })).toEqual([['2026-03-15', undefined, 1]])
    expect(await groups({ splitBy: 'tag' })).toEqual([
      ['2026-03-14', 'prod', 2],
      ['2026-03-15', 'test', 1],
    ])
  })

  test('usage by tag of all users is for admins', async () => {
    const { ask, series, addCaller, userId } = await tagging()
    await ask()
    const { credentials: admin } = await addCaller({ user: { role: 'admin' } })
    const all = { tag: 'team', groupBy: 'user', allUsers: true }
    expect(await series(all, admin)).toMatchObject({ data: { groups: [{ group: userId, requests: 1, name: 'Ada' }] } })
    expect(await series(all)).toMatchObject({ error: { code: 'FORBIDDEN' } })
  })

  test.each([
    ['tag', { groupBy: 'tag' }],
    ['tag', { splitBy: 'tag' }],
    ['tag', { tagValue: 'x' }],
    ['groupBy', { tag: 'team', groupBy: 'model' }],
    ['splitBy', { tag: 'team', splitBy: 'model' }],
  ])('usage by tag rejects the field %s of %j', async (field, input) => {
    const { series } = await tagging()
    expect(await series(input)).toMatchObject({ error: { code: 'INVALID_REQUEST', details: { field } } })
  })
})
