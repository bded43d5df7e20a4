import { expect, test } from 'vitest'
import { accessibilityViolations } from './accessibility.ts'
import { type Dashboard, password } from './open-dashboard.ts'

/** Defines the tests of API keys, and of their use as admins see it. */
export function testKeys(dashboard: () => Dashboard): void {
  /** Sends a request as a user. */
  async function send(token: string, method: string, path: string, body?: object) {
    const response = await fetch(dashboard().url + path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    return ((await response.json()) as { data: Record<string, string> }).data
  }

  /** An access token of a user. */
  async function fetchToken(email: string) {
    const { access_token: token = '' } = await send('', 'POST', '/auth/login', { email, password })
    return token
  }

  test('the dashboard finds API keys by a part of their name and by their status, which the URL keeps', async () => {
    const { openPage, logIn, problems } = await dashboard().newProfile()
    await logIn('find-keys@example.com')
    const token = await fetchToken('find-keys@example.com')
    const keys = []
    for (const name of ['Website', 'website staging', 'batch jobs']) {
      keys.push(await send(token, 'POST', '/api-keys', { name }))
    }
    await send(token, 'DELETE', `/api-keys/${keys[1]?.['id']}`)

    const page = await openPage('/api-keys')
    const rows = page.getByRole('table', { name: 'API keys' }).locator('tbody tr')
    await rows.filter({ hasText: 'batch jobs' }).waitFor()
    expect(await rows.count()).toBe(2)
    await page.getByRole('searchbox', { name: 'Search keys' }).fill('WEB')
    await rows.filter({ hasText: 'batch jobs' }).waitFor({ state: 'detached' })
    await rows.filter({ hasText: 'Website' }).waitFor()
    await page.getByRole('combobox', { name: 'Status' }).click()
    await page.getByRole('option', { name: 'revoked' }).click()
    await rows.filter({ hasText: 'website staging' }).waitFor()
    expect(await accessibilityViolations(page, 'revoked keys')).toEqual([])
    expect(new URL(page.url()).search).toBe('?search=WEB&status=revoked')

    await page.reload()
    await rows.filter({ hasText: 'website staging' }).waitFor()
    expect(await rows.count()).toBe(1)
    const secret = keys[0]?.['secret'] ?? ''
    await page.getByRole('searchbox', { name: 'Search keys' }).fill(secret)
    await page.getByText('No API key matches').waitFor()
    expect(page.url()).not.toContain(secret)
    await page.getByRole('button', { name: 'Clear the filters' }).click()
    await rows.filter({ hasText: 'batch jobs' }).waitFor()
    expect(problems).toEqual([])
  })

  test('the dashboard shows admins the requests of a user, the usage of each key this month, and the events of the user', async () => {
    const { key } = dashboard()
    const { openPage, logIn, problems } = await dashboard().newProfile()
    await logIn('used@example.com')
    const { secret = '' } = await send(await fetchToken('used@example.com'), 'POST', '/api-keys', { name: 'laptop' })
    await send(secret, 'POST', '/generate', { model: 'scribe', prompt: 'Say hello' })

    await logIn('admin-of-use@example.com', 'admin')
    const page = await openPage('/users?email=used@example.com')
    await page.getByRole('link', { name: 'Ada Lovelace', exact: true }).click()
    const pane = page.getByRole('dialog', { name: 'Ada Lovelace' })
    await pane.getByText(/^1 in all, \d+ tokens/).waitFor()
    await pane.getByRole('figure').locator('canvas').waitFor()
    await pane.getByRole('listitem').filter({ hasText: 'laptop' }).getByText('1 / 1,000').waitFor()
    await pane.getByRole('table', { name: 'Operations of laptop' }).getByText('generate').waitFor()
    expect(await accessibilityViolations(page, 'user')).toEqual([])
    await pane.getByRole('link', { name: 'Requests' }).click()
    await page.getByRole('row', { name: /scribe · generate/ }).waitFor()

    await page.goBack()
    await pane.getByRole('link', { name: 'Activity' }).click()
    const events = page.getByRole('table', { name: 'Events' }).locator('tbody tr')
    await events.filter({ hasText: 'api_key.created' }).waitFor()
    await page.getByText('Live', { exact: true }).waitFor()
    expect(await events.count()).toBe(2)
    expect(await accessibilityViolations(page, 'events of a user')).toEqual([])
    const other = await send(key, 'POST', '/api-keys', { name: 'of another user' })
    await send(secret, 'POST', '/generate', { model: 'scribe', prompt: 'Say hello' })
    await events.filter({ hasText: 'generation.completed' }).waitFor()
    expect(await events.filter({ hasText: other['name'] ?? '' }).count()).toBe(0)
    expect(problems).toEqual([])
  })
}
