import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { accessibilityViolations } from './accessibility.ts'
import { describeDashboard } from './describe-dashboard.ts'
import { password } from './open-dashboard.ts'

describeDashboard((dashboard) => {
  test('the dashboard shows a new user the use of the key that the user created', async () => {
    const { openPage, problems } = await dashboard().newProfile()
    const page = await openPage('/api-keys')
    await page.getByRole('link', { name: 'Sign up' }).click()
    await page.getByLabel('Name').fill('Ada Lovelace')
    await page.getByLabel('Email').fill('new@example.com')
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign up' }).click()

    // The page that was asked for first.
    await page.getByRole('heading', { name: 'API keys' }).waitFor()
    await page.getByRole('button', { name: 'Create key' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.locator('input:focus').waitFor()
    await page.keyboard.type('laptop')
    await page.keyboard.press('Enter')
    await dialog.locator('button[aria-label="Copy the secret"]:focus').waitFor()
    const command = await page.getByRole('region', { name: 'curl snippet' }).innerText()
    const { stdout } = await promisify(execFile)('sh', ['-c', `${command} -sS`])
    expect(JSON.parse(stdout)).toMatchObject({ success: true })

    await page.keyboard.press('Escape')
    await dialog.getByRole('button', { name: 'Copy the secret' }).click()
    await dialog.getByText('Copied').waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Overview' }).click()
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    await page.getByText('laptop').waitFor()
    await page.getByRole('row', { name: /scribe 1 0%/ }).waitFor()
    expect(problems).toEqual([])
  })

  test('the dashboard logs the admin in with the link of the first start, once', async () => {
    const link = `#sign-in=${dashboard().signInToken}`
    const { openPage, problems } = await dashboard().newProfile()
    const page = await openPage(link)
    await page.getByRole('button', { name: /^Account: Admin/ }).waitFor()
    expect(page.url()).not.toContain('sign-in')
    const stranger = await dashboard().newProfile()
    const again = await stranger.openPage(link)
    await again.getByText('The sign-in link is not valid anymore').waitFor()
    expect([...problems, ...stranger.problems]).toEqual([])
  })

  test('the dashboard remembers that the navigation is collapsed', async () => {
    const { openPage, logIn, problems } = await dashboard().newProfile()
    await logIn('collapsed@example.com')
    const page = await openPage('/api-keys')
    await page.getByRole('button', { name: 'Collapse the navigation' }).click()
    await page.reload()
    await page.getByRole('button', { name: 'Expand the navigation' }).click()
    await page.reload()
    await page.getByRole('button', { name: 'Collapse the navigation' }).waitFor()
    expect(problems).toEqual([])
  })

  test('the dashboard keeps two tabs signed in, and ends both at a log-out', async () => {
    const { openPage, logIn, problems } = await dashboard().newProfile()
    await logIn('tabs@example.com')
    const [one, other] = await Promise.all([openPage('/api-keys'), openPage('/models?type=image')])
    await one.reload()
    await one.getByRole('heading', { name: 'API keys' }).waitFor()
    await other.getByRole('heading', { name: 'Models' }).waitFor()
    await one.getByRole('button', { name: /^Account/ }).click()
    await one.getByRole('menuitem', { name: 'Log out' }).click()
    await one.getByRole('heading', { name: 'Log in' }).waitFor()
    await other.getByRole('heading', { name: 'Log in' }).waitFor()

    await other.getByLabel('Email').fill('tabs@example.com')
    await other.getByLabel('Password').fill(password)
    await other.getByRole('button', { name: 'Log in' }).click()
    await other.getByRole('heading', { name: 'Models' }).waitFor()
    await one.getByRole('heading', { name: 'API keys' }).waitFor()
    expect(new URL(other.url()).search).toBe('?type=image')
    expect(problems).toEqual([])
  })

  test('the dashboard refreshes the access token before it expires, and when the service rejects it', async () => {
    const { openPage, logIn, context } = await dashboard().newProfile()
    await logIn('refresh@example.com')
    await context.clock.install()
    const page = await openPage('/models')
    await page.getByText('scribe').first().waitFor()

    const renewed = page.waitForResponse(/auth\/refresh/)
    await page.clock.fastForward('14:30')
    expect((await renewed).status()).toBe(200)

    let rejected = 0
    await context.route(/\/api-keys\?/, (route) => {
      rejected += 1
      return rejected === 1 ? route.fulfill({ status: 401, json: {} }) : route.continue()
    })
    await page.getByRole('link', { name: 'API keys' }).click()
    await page.getByText('No active API keys').waitFor()
    expect(rejected).toBe(2)
  })

  test('the dashboard reports a failure with its request id, and recovers', async () => {
    const { openPage, logIn, context } = await dashboard().newProfile()
    await logIn('failure@example.com')
    const error = { code: 'INTERNAL_ERROR', message: 'Internal server error', details: { field: null, issue: null } }
    const meta = { request_id: 'req_42', timestamp: '2026-03-14T09:26:53Z' }
    await context.route(/\/models$/, (route) => {
      const isPage = route.request().resourceType() === 'document'
      return isPage ? route.continue() : route.fulfill({ status: 500, json: { success: false, error, meta } })
    })
    const page = await openPage('/models')
    await page.getByRole('alert').getByText('req_42').waitFor()
    await context.unroute(/\/models$/)
    await page.getByRole('button', { name: 'Retry' }).click()
    await page.getByText('scribe').first().waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
  })

  test('the dashboard says when the browser is offline, and continues when it is back', async () => {
    const { openPage, logIn, context } = await dashboard().newProfile()
    await logIn('offline@example.com')
    const page = await openPage('/models')
    await page.getByText('scribe').first().waitFor()
    await context.setOffline(true)
    await page.getByText('You are offline').waitFor()
    await page.getByRole('link', { name: 'API keys' }).click()
    await context.setOffline(false)
    await page.getByText('No active API keys').waitFor()
    expect(await page.getByText('You are offline').count()).toBe(0)
  })

  test('the dashboard opens pages with the command palette', async () => {
    const { openPage, logIn } = await dashboard().newProfile()
    await logIn('palette@example.com')
    const page = await openPage()
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await page.keyboard.press('Control+K')
    await page.getByRole('combobox').fill('mod')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Models' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/dashboard/models')
  })

  test('the dashboard has no accessibility violation on any page, light and dark, on a desktop and a phone', async () => {
    const { openPage, logIn, problems } = await dashboard().newProfile()
    const page = await openPage('/login')
    const found: string[] = []
    const scan = async (name: string) => void found.push(...(await accessibilityViolations(page, name)))

    await page.getByRole('heading', { name: 'Log in' }).waitFor()
    await scan('log in')
    await page.getByRole('link', { name: 'Sign up' }).click()
    await page.getByRole('heading', { name: 'Create an account' }).waitFor()
    await scan('sign up')
    await logIn('axe@example.com')
    await page.goto(dashboard().address)
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    const names = await page.getByRole('navigation', { name: 'Main' }).getByRole('link').allInnerTexts()
    expect(names).toContain('API keys')
    for (const name of names) {
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true }).click()
      await page.getByRole('heading', { level: 1, name }).waitFor()
      // A scan of a page that loads would miss its content.
      await page.locator('[data-skeleton]').first().waitFor({ state: 'detached' })
      await scan(name)
    }
    await page.getByRole('link', { name: 'API keys', exact: true }).click()
    await page.getByRole('button', { name: 'Create key' }).first().click()
    await page.getByRole('dialog').waitFor()
    await scan('create key')
    expect(found).toEqual([])
    expect(problems).toEqual([])
  })
})
