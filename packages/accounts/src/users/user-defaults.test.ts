import { describe, expect, test } from 'vitest'
import { plainPasswords, scripted, fakeTextModel, testCore } from '@fairlead/testing'
import { operations } from '@fairlead/testing/workspace'

const defaults = { budgetUsd: 20, budgetPeriod: 'month', models: ['cheap*'] } as const
const password = 'a long password'
const given = { ...defaults, models: ['cheap*'] }

async function setup() {
  const models = [fakeTextModel({ id: 'cheap-1' }), fakeTextModel({ id: 'dear' })]
  const world = await testCore({
    providers: [{ ...scripted('calm', 'hi'), models }],
    passwords: plainPasswords(),
    defaults,
  })
  const { fairlead } = world
  const signUp = () => fairlead.sessions.signup({ email: 'ada@example.com', password, name: 'Ada' })
  return { ...world, signUp }
}

describe('the defaults of users', () => {
  test('the defaults of users are those of who signs up', async () => {
    const { signUp } = await setup()
    expect((await signUp()).user).toMatchObject(given)
  })

  test('the defaults of users are those of who comes with an identity', async () => {
    const { fairlead } = await setup()
    const identity = { issuer: 'https://id.example.com', subject: '1', email: 'ada@example.com', name: 'Ada' }
    expect((await fairlead.sessions.signIn(identity)).user).toMatchObject(given)
  })

  test('the defaults of users are those of whom an admin creates without saying more', async () => {
    const { fairlead } = await setup()
    const create = (email: string, fields: object = {}) =>
      fairlead.users.create({ email, name: 'Ada', password, ...fields })
    expect(await create('a@example.com')).toMatchObject(given)
    expect(await create('b@example.com', { budgetUsd: 5, models: ['dear'] })).toMatchObject({
      budgetUsd: 5,
      budgetPeriod: null,
      models: ['dear'],
    })
    expect(await create('c@example.com', { budgetUsd: null })).toMatchObject(given)
  })
})

describe('the models of a user', () => {
  const refused = { error: { code: 'FORBIDDEN', details: { field: 'model' } } }

  test('the models of a user are all that their keys, sessions and projects may call', async () => {
    const { fairlead, core, signUp } = await setup()
    const { user, accessToken } = await signUp()
    const session = { kind: 'bearer', token: accessToken } as const
    const key = await core.run(operations.createApiKey, session, { name: 'key', models: ['dear', 'cheap-1'] })
    const { id } = await fairlead.projects.create({ name: 'Search', ownerId: user.id })
    const callers = [
      session,
      { kind: 'bearer', token: key.success ? key.data.secret : '' },
      { kind: 'bearer', token: accessToken, project: id },
    ] as const
    for (const caller of callers) {
      const ask = (model: string) => core.run(operations.generate, caller, { model, prompt: 'x' })
      expect(await ask('cheap-1')).toMatchObject({ success: true })
      expect(await ask('dear')).toMatchObject(refused)
    }
    await fairlead.users.patch({ id: user.id, models: null })
    for (const caller of callers)
      expect(await core.run(operations.generate, caller, { model: 'dear', prompt: 'x' })).toMatchObject({
        success: true,
      })
  })

  test('the models of a user are changed only by admins', async () => {
    const { core, signUp } = await setup()
    const { user, accessToken } = await signUp()
    const session = { kind: 'bearer', token: accessToken } as const
    const change = core.run(operations.patchUser, session, { id: user.id, models: null })
    expect(await change).toMatchObject({ error: { code: 'FORBIDDEN', details: { field: 'models' } } })
  })
})
