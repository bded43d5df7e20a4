import { expect, test } from 'vitest'
import { accessibilityViolations } from './accessibility.ts'
import { type Dashboard, password } from './open-dashboard.ts'

/** Defines the tests of sessions that end, users who are suspended, and members. */
export function testSessions(dashboard: () => Dashboard): void {
  test('the dashboard asks for the password over the page when the session has ended, and sends the form that was typed', async () => {
    const { openPage, logIn, context, problems } = await dashboard().newProfile()
    await logIn('ended@example.com')
    const page = await openPage('/api-keys')
    await page.getByRole('button', { name: 'Create key' }).first().click()
    const form = page.getByRole('dialog', { name: 'Create an API key' })
    await form.getByLabel('Name').fill('typed before the session ended')
    await context.clearCookies()
    // The access token of the page expires at the same time.
    let rejected = false
    await context.route(/\/api-keys$/, (route) => {
      if (rejected || route.request().method() !== 'POST') return route.continue()
      rejected = true
      return route.fulfill({ status: 401, json: {} })
    })
    await form.getByLabel('Name').press('Enter')
    const again = page.getByRole('dialog', { name: 'Your session has ended' })
    await again.getByLabel('Password').fill('a wrong password')
    await again.getByLabel('Password').press('Enter')
    await again.getByRole('alert').getByText('UNAUTHORIZED').waitFor()
    expect(await accessibilityViolations(page, 'session ended')).toEqual([])
    await again.getByLabel('Password').fill(password)
    await again.getByLabel('Password').press('Enter')
    await again.waitFor({ state: 'detached' })
    await page.getByRole('dialog', { name: 'Copy your new key' }).getByRole('button', { name: 'Done' }).click()
    await page.getByRole('row', { name: /typed before the session ended/ }).waitFor()
    expect(problems).toEqual([])
  })

  test('the dashboard shows a suspended user one page without failures, until an admin activates the user', async () => {
    const { url, key } = dashboard()
    const { openPage, logIn, problems } = await dashboard().newProfile()
    const id = await logIn('suspended@example.com')
    const setStatus = (status: string) =>
      fetch(`${url}/api/v1/users/${id}`, {
        method: 'PATCH',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ status }),
      })
    const page = await openPage('/models')
    await page.getByText('scribe').first().waitFor()
    await setStatus('suspended')
    await page.getByRole('link', { name: 'API keys' }).click()
    const heading = page.getByRole('heading', { name: 'Your account is suspended' })
    await heading.waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
    expect(await accessibilityViolations(page, 'suspended')).toEqual([])
    await page.reload()
    await heading.waitFor()
    await setStatus('active')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'API keys' }).waitFor()
    expect(problems).toEqual([])
  })

  test('the dashboard shows members no page of admins, and sends no request for one', async () => {
    const { openPage, logIn, context, problems } = await dashboard().newProfile()
    await logIn('member@example.com')
    const failed: string[] = []
    context.on('response', (response) => {
      if (response.status() >= 400) failed.push(response.url())
    })
    const page = await openPage('/users')
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
    const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link')
    expect(await links.allInnerTexts()).not.toContain('Users')
    await page.keyboard.press('Control+K')
    await page.getByRole('combobox').fill('prov')
    await page.getByText('Nothing matches “prov”.').waitFor()

    // The last of the commands, which is below the visible part of the list.
    await page.getByRole('combobox').fill('')
    await page.keyboard.press('ArrowUp')
    const last = page.getByRole('option', { name: 'Log out' })
    const bottomOf = (element: Element) => Math.floor(element.getBoundingClientRect().bottom)
    expect(await last.evaluate(bottomOf)).toBeLessThanOrEqual(await page.getByRole('listbox').evaluate(bottomOf))
    expect(failed).toEqual([])
    expect(problems).toEqual([])
  })

  test('the dashboard sends no request that fails to visitors who are logged out', async () => {
    const { openPage, context, consoleErrors } = await dashboard().newProfile()
    const requests: string[] = []
    context.on('request', (request) => {
      if (new URL(request.url()).pathname.startsWith('/auth/')) requests.push(request.url())
    })
    const page = await openPage('/api-keys')
    await page.getByRole('heading', { name: 'Log in' }).waitFor()
    expect(requests).toEqual([])
    expect(consoleErrors).toEqual([])
  })

  test('the dashboard keeps the rows of a list when a refresh fails, and says so', async () => {
    const { openPage, logIn, context, problems } = await dashboard().newProfile()
    await logIn('refresh-fails@example.com', 'admin')
    const page = await openPage('/users')
    const row = page.getByRole('row', { name: /refresh-fails@example.com/ })
    await row.waitFor()
    const error = { code: 'INTERNAL_ERROR', message: 'Internal server error' }
    await context.route(/\/api\/v1\/users\?/, (route) =>
      route.fulfill({ status: 500, json: { success: false, error, meta: { request_id: 'req_1' } } }),
    )
    await context.clock.install()
    await context.clock.fastForward(20_000)
    await page.getByRole('link', { name: 'Models' }).click()
    await page.getByRole('heading', { name: 'Models' }).waitFor()
    await page.goBack()
    await page.getByText('Not refreshed. Internal server error').waitFor()
    await row.waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
    expect(await accessibilityViolations(page, 'refresh fails')).toEqual([])
    await context.unroute(/\/api\/v1\/users\?/)
    await page.getByRole('button', { name: 'Retry' }).click()
    await page.getByText('Not refreshed').waitFor({ state: 'detached' })
    expect(problems).toEqual([])
  })
}
