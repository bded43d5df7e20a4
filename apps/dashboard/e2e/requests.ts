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

  async function generate(model = 'scribe'): Promise<string> {
    const { url, key } = current()
    const response = await fetch(`${url}/generate`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, prompt: 'Write a haiku about rain' }),
    })
    await response.text()
    return response.headers.get('x-request-id') ?? ''
  }

  test('the dashboard finds a request by its id, shows its facts, and has no accessibility violation', async () => {
    const id = await generate()
    await generate()
    const { page, problems } = await openAsAdmin('/requests')
    await page.getByRole('searchbox', { name: 'Request id' }).fill(id)
    await page.waitForURL(/id=req_/)
    await page.getByRole('row').nth(2).waitFor({ state: 'detached' })
    expect(await accessibilityViolations(page, 'requests')).toEqual([])
    await page.getByRole('link', { name: /scribe · generate/ }).click()
    const pane = page.getByRole('dialog', { name: 'generate' })
    await pane.getByText(id).waitFor()
    await pane.getByText('Cached prompt tokens').waitFor()
    expect(await accessibilityViolations(page, 'request')).toEqual([])
    await pane.getByRole('link', { name: 'scribe' }).click()
    await page.getByRole('heading', { level: 1, name: 'Models' }).waitFor()
    expect(problems).toEqual([])
  })

  test('the dashboard shows new requests by themselves, and why one was rejected', async () => {
    await generate()
    const { page, problems } = await openAsAdmin('/requests?range=custom&charged=false')
    const rejected = page.getByRole('row', { name: /INVALID_REQUEST Rejected, not charged generate .*Admin/ })
    await page.getByText('No request matches').waitFor()
    await generate('none')
    await rejected.first().waitFor()
    expect(await accessibilityViolations(page, 'rejected request')).toEqual([])
    await rejected.first().getByRole('link').click()
    const pane = page.getByRole('dialog', { name: 'generate' })
    await pane.getByText(/unknown model "none"/).waitFor()
    await pane.getByText('Rejected, not charged').first().waitFor()
    await page.keyboard.press('Escape')
    await pane.waitFor({ state: 'detached' })

    await rejected.first().hover()
    await generate('none')
    await page.getByRole('button', { name: '1 new request' }).click()
    await expect.poll(() => rejected.count()).toBe(2)
    expect(problems).toEqual([])
  })

  test('the dashboard filters the requests of an admin by user', async () => {
    await generate()
    const { page, problems } = await openAsAdmin('/requests?status=ok')
    await page
      .getByRole('row', { name: /generate scribe Admin/ })
      .first()
      .waitFor()
    await page.getByRole('combobox', { name: 'User' }).click()
    await page.getByRole('option', { name: 'Ada Lovelace' }).first().click()
    await page.waitForURL(/user=usr_/)
    await page.getByText('No request matches').waitFor()
    expect(problems).toEqual([])
  })

  test('the dashboard creates, suspends, activates, and deletes a user', async () => {
    const { page, problems } = await openAsAdmin('/users')
    await page.getByRole('button', { name: 'Create user' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Alan Turing')
    await dialog.getByRole('textbox', { name: 'Email' }).fill('alan@example.com')
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

  test('the dashboard shows admins the providers and the models that were called', async () => {
    await generate()
    const { page, problems } = await openAsAdmin('/providers')
    await page.getByRole('row', { name: /scribe Closed/ }).waitFor()
    expect(await accessibilityViolations(page, 'providers')).toEqual([])
    expect(problems).toEqual([])
  })
}
