import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { accessibilityViolations } from './accessibility.ts'
import type { Dashboard } from './open-dashboard.ts'

/** Defines the tests of the audit log. */
export function testAudit(dashboard: () => Dashboard): void {
  test('the dashboard shows admins who changed what, finds entries, and exports them', async () => {
    const { url, key, newProfile } = dashboard()
    const { openPage, logIn, problems } = await newProfile()
    const id = await logIn('audited@example.com', 'admin')
    const send = (method: string, path: string, body: object) =>
      fetch(url + path, {
        method,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    await send('PATCH', `/api/v1/users/${id}`, { name: 'Augusta King', budget_usd: 20 })
    await send('POST', '/auth/login', { email: 'audited@example.com', password: 'a wrong password' })

    const page = await openPage('/users?email=audited@example.com')
    await page.getByRole('button', { name: 'Actions for Augusta King' }).click()
    await page.getByRole('menuitem', { name: 'Show audit log' }).click()
    await page.getByRole('heading', { level: 1, name: 'Audit log' }).waitFor()
    const rows = page.getByRole('table', { name: 'Audit log' }).locator('tbody tr')
    await rows.filter({ hasText: 'UNAUTHORIZED' }).waitFor()
    expect(await rows.count()).toBe(4)
    expect(await accessibilityViolations(page, 'audit log')).toEqual([])
    await page.getByRole('combobox', { name: 'Outcome' }).click()
    await page.getByRole('option', { name: 'ok', exact: true }).click()
    await page.getByRole('combobox', { name: 'Action' }).click()
    await page.getByRole('combobox', { name: 'Search: Action' }).fill('patchUser')
    await page.keyboard.press('Enter')
    await page.waitForURL(new RegExp(`audit\\?action=patchUser&outcome=ok&target=${id}$`))
    await rows.nth(1).waitFor({ state: 'detached' })

    await rows.getByRole('link').press('Enter')
    const sheet = page.getByRole('dialog', { name: 'patchUser' })
    await sheet.getByText('Before: Ada Lovelace').waitFor()
    await sheet.getByText('After: Augusta King').waitFor()
    await sheet.getByText('Before: none').waitFor()
    await sheet.getByText('After: 20').waitFor()
    expect(await accessibilityViolations(page, 'entry of the audit log')).toEqual([])
    // An entry that is not on the page of the list.
    await page.goto(page.url().replace('patchUser', 'deleteUser'))
    await sheet.getByText('After: Augusta King').waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('No entry matches').waitFor()
    await page.getByRole('button', { name: 'Clear the filters' }).click()
    await rows.filter({ hasText: 'createUser' }).first().waitFor()

    await page.getByRole('searchbox', { name: 'Id of the target' }).fill(id)
    await page.waitForURL(/target=usr_/)
    await rows.filter({ hasText: 'UNAUTHORIZED' }).waitFor()
    const lines = async (format: string) => {
      await page.getByRole('button', { name: 'Export' }).click()
      const saved = page.waitForEvent('download')
      await page.getByRole('menuitem', { name: new RegExp(`^${format}`) }).click()
      return (await readFile(await (await saved).path(), 'utf8')).trimEnd().split(/\r?\n/)
    }
    expect((await lines('CSV')).map((line) => line.split(',')[2])).toEqual([
      'action',
      'login',
      'patchUser',
      'login',
      'createUser',
    ])
    expect((await lines('NDJSON')).map((line) => (JSON.parse(line) as { action: string }).action)).toHaveLength(4)
    expect(problems).toEqual([])
  })

  test('the audit log is not shown to members', async () => {
    const { openPage, logIn, problems } = await dashboard().newProfile()
    await logIn('not-an-auditor@example.com')
    const page = await openPage('/audit')
    await page.getByText('Page not found').waitFor()
    expect(await page.getByRole('link', { name: 'Audit log' }).count()).toBe(0)
    expect(problems).toEqual([])
  })
}
