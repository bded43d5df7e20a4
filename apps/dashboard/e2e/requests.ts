import { expect, test } from 'vitest'
import { accessibilityViolations } from './accessibility.ts'
import { type Dashboard, password } from './open-dashboard.ts'

/** Tests of the pages Requests, Users, and Providers. */
export function testRequests(current: () => Dashboard): void {
  async function openAsAdmin(path: string) {
    const profile = await current().newProfile()
    await profile.logIn(`admin${path.replaceAll('/', '-')}@example.com`, 'admin')
    return { ...profile, page: await profile.openPage(path) }
  }

  async function generate(): Promise<string> {
    const { url, key } = current()
    const response = await fetch(`${url}/generate`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'scribe', prompt: 'Write a haiku about rain' }),
    })
    await response.text()
    return response.headers.get('x-request-id') ?? ''
  }

  test('finds a request by its id, shows its facts, and has no accessibility violation', async () => {
    const id = await generate()
    await generate()
    const { page, problems } = await openAsAdmin('/requests')
    await page.getByRole('searchbox', { name: 'Request id' }).fill(id)
    await page.waitForURL(/id=req_/)
    await page.getByRole('row').nth(2).waitFor({ state: 'detached' })
    expect(await accessibilityViolations(page, 'requests')).toEqual([])
    await page.getByRole('link', { name: /generate · scribe/ }).click()
    const pane = page.getByRole('dialog', { name: 'generate' })
    await pane.getByText(id).waitFor()
    await pane.getByText('Cached prompt tokens').waitFor()
    expect(await accessibilityViolations(page, 'request')).toEqual([])
    await pane.getByRole('link', { name: 'scribe' }).click()
    await page.getByRole('heading', { level: 1, name: 'Models' }).waitFor()
    expect(problems).toEqual([])
  })

  test('creates, suspends, activates, and deletes a user', async () => {
    const { page, problems } = await openAsAdmin('/users')
    await page.getByRole('button', { name: 'Create user' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Alan Turing')
    await dialog.getByLabel('Email').fill('alan@example.com')
    await dialog.getByLabel('Password').fill('short')
    await dialog.getByRole('button', { name: 'Create user' }).click()
    await dialog.getByText('Password must have 12 to 128 characters').waitFor()
    await dialog.getByLabel('Password').fill(password)
    await dialog.getByRole('button', { name: 'Create user' }).click()
    const row = page.getByRole('row', { name: /Alan Turing/ })
    await row.waitFor()
    expect(await accessibilityViolations(page, 'users')).toEqual([])

    const choose = async (action: string) => {
      await row.getByRole('button', { name: 'Actions for Alan Turing' }).click()
      await page.getByRole('menuitem', { name: action }).click()
    }
    await choose('Suspend')
    await dialog.getByRole('button', { name: 'Suspend user' }).click()
    await row.getByText('Suspended').waitFor()
    await choose('Activate')
    await row.getByText('Active', { exact: true }).waitFor()
    await choose('Delete')
    await dialog.getByRole('button', { name: 'Delete user' }).click()
    await row.waitFor({ state: 'detached' })
    expect(problems).toEqual([])
  })

  test('shows admins the providers and the models that were called', async () => {
    await generate()
    const { page, problems } = await openAsAdmin('/providers')
    await page.getByRole('row', { name: /scribe Closed/ }).waitFor()
    expect(await accessibilityViolations(page, 'providers')).toEqual([])
    expect(problems).toEqual([])
  })
}
