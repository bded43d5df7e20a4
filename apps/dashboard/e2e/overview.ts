import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { accessibilityViolations } from './accessibility.ts'
import { type Dashboard, password } from './open-dashboard.ts'

/** Defines the tests of the overview. */
export function testOverview(dashboard: () => Dashboard): void {
  test('the dashboard shows an admin the usage of everyone by user, and of one user', async () => {
    const { url, key, newProfile } = dashboard()
    const { openPage, logIn, problems } = await newProfile()
    await logIn('everyone@example.com', 'admin')
    await fetch(`${url}/v1/generate`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'scribe', prompt: 'Write a haiku about rain' }),
    })
    const page = await openPage('/?range=7d')
    await page.getByText('No requests in this period').first().waitFor()
    await page.getByRole('combobox', { name: 'User' }).click()
    await page.getByRole('option', { name: 'Everyone' }).click()
    await page.waitForURL(/user=all/)
    await page.getByRole('row', { name: /^Admin \d+ / }).waitFor()
    expect(await accessibilityViolations(page, 'usage of everyone')).toEqual([])
    await page.getByRole('combobox', { name: 'User' }).click()
    await page.getByRole('option', { name: 'Admin', exact: true }).click()
    await page.getByRole('row', { name: /^scribe \d+ / }).waitFor()
    await page.getByRole('region', { name: 'Users, by use' }).waitFor({ state: 'detached' })
    expect(problems).toEqual([])
  })

  test('the dashboard shows what each value of a tag costs, and how to tag requests', async () => {
    const { url, newProfile } = dashboard()
    const { openPage, logIn, problems } = await newProfile()
    await logIn('tags@example.com')
    const page = await openPage('/?range=7d')
    await page
      .getByRole('region', { name: 'curl command with tags' })
      .getByText('X-Fairlead-Tags: team=search')
      .waitFor()
    expect(await accessibilityViolations(page, 'overview without tags')).toEqual([])

    const { access_token: token } = await send<{ readonly access_token: string }>('POST', `${url}/auth/login`, '', {
      email: 'tags@example.com',
      password,
    })
    for (const tags of ['team=search', 'team=search, env=prod', 'team=shop']) {
      await fetch(`${url}/generate`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'x-fairlead-tags': tags },
        body: JSON.stringify({ model: 'scribe', prompt: 'Say hello' }),
      })
    }
    await page.reload()
    await page.getByRole('row', { name: /^search 2 0% \d+ \$0\.00$/ }).waitFor()
    await page.getByRole('row', { name: /^shop 1 / }).waitFor()
    expect(await accessibilityViolations(page, 'overview with tags')).toEqual([])
    await page.getByRole('combobox', { name: 'Tag', exact: true }).click()
    await page.getByRole('option', { name: 'env' }).click()
    await page.waitForURL(/tag=env/)
    await page.getByRole('row', { name: /^prod 1 / }).waitFor()
    await page.getByRole('combobox', { name: 'Tag', exact: true }).click()
    await page.getByRole('option', { name: 'Another' }).click()
    await page.getByRole('searchbox', { name: 'Name of a tag' }).fill('customer')
    await page.waitForURL(/tag=customer/)
    await page.getByText('No requests with this tag in this period.').waitFor()
    await page.goto(page.url().replace('tag=customer', 'tag=team'))
    await page.getByRole('link', { name: 'search', exact: true }).click()
    await page.getByRole('heading', { name: 'Requests', level: 1 }).waitFor()
    expect(await page.getByRole('searchbox', { name: 'Tag, such as team=shop' }).inputValue()).toBe('team=search')
    const rows = page.getByRole('table', { name: 'Requests' }).locator('tbody tr')
    // A list that loads has rows, too.
    await rows.filter({ hasText: 'scribe · generate' }).nth(1).waitFor()
    expect(await rows.count()).toBe(2)
    expect(problems).toEqual([])
  })

  test('the dashboard shows custom days in the chosen time zone, and compares them with the days before', async () => {
    // Its days begin at half an hour of UTC, and the service counts whole hours.
    const { openPage, logIn, context, problems } = await dashboard().newProfile({ timezoneId: 'Asia/Kolkata' })
    await logIn('days@example.com')
    const asked: string[] = []
    context.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url())
      if (pathname === '/usage/timeseries') asked.push(`${searchParams.get('from')} ${searchParams.get('to')}`)
    })
    // Without a period, a new user is shown how to send a first request.
    const page = await openPage('?range=7d')
    await page.getByRole('button', { name: 'Custom' }).focus()
    await page.keyboard.press('Enter')
    const form = page.getByRole('dialog', { name: 'Custom period' })
    await form.getByText('Whole days in Asia/Calcutta').waitFor()
    await form.getByLabel('First day').fill('2026-03-02')
    await form.getByLabel('Last day').fill('2026-03-01')
    await page.keyboard.press('Enter')
    await form.getByText('Last day must not be before the first day').waitFor()
    expect(await accessibilityViolations(page, 'custom period')).toEqual([])
    await form.getByLabel('Last day').fill('2026-03-03')
    await page.keyboard.press('Enter')
    await form.waitFor({ state: 'detached' })

    await page.getByRole('button', { name: /^Period: 2\s*–\s*3 Mar 2026$/ }).waitFor()
    expect(new URL(page.url()).search).toBe('?from=2026-03-02&to=2026-03-03')
    await page.getByText('none in the prior 2d').first().waitFor()
    expect(asked).toContain('2026-03-01T18:00:00.000Z 2026-03-03T19:00:00.000Z')
    expect(asked).toContain('2026-02-27T17:00:00.000Z 2026-03-01T18:00:00.000Z')

    await page.getByRole('combobox', { name: 'Time zone' }).click()
    await page.getByRole('option', { name: 'UTC' }).click()
    await expect.poll(() => asked).toContain('2026-03-02T00:00:00.000Z 2026-03-04T00:00:00.000Z')
    await page.getByRole('button', { name: '24h' }).click()
    await page.waitForURL(/\?range=24h&zone=utc$/)
    expect(problems).toEqual([])
  })

  test('the dashboard leads a new user to the first request, and finds one of many keys', async () => {
    const { url, key: adminKey } = dashboard()
    const { openPage, logIn, problems } = await dashboard().newProfile()
    const id = await logIn('first-run@example.com')
    await send('PATCH', `${url}/api/v1/users/${id}`, adminKey, { tier: 'pro' })
    const page = await openPage()
    await page.getByText('Waiting for the first request').waitFor()
    await page.getByRole('button', { name: 'Create a key' }).click()
    await page.getByRole('region', { name: 'secret' }).waitFor()
    expect(await accessibilityViolations(page, 'first run')).toEqual([])
    const command = await page.getByRole('region', { name: 'curl command' }).innerText()
    await promisify(execFile)('sh', ['-c', `${command} -sS`])
    await page.getByText(/^generate with scribe: succeeded in/).waitFor()
    await page.getByRole('button', { name: 'Show the overview' }).click()
    await page.getByRole('row', { name: /scribe 1 0%/ }).waitFor()

    const { access_token: token } = await send<{ readonly access_token: string }>('POST', `${url}/auth/login`, '', {
      email: 'first-run@example.com',
      password,
    })
    for (let key = 1; key <= 12; key += 1) await send('POST', `${url}/api-keys`, token, { name: `service ${key}` })
    await page.reload()
    await page.getByRole('searchbox', { name: 'Search keys' }).fill('service 11')
    await page.getByRole('meter').waitFor()
    expect(await page.getByRole('meter').count()).toBe(1)
    await page.getByRole('searchbox', { name: 'Search keys' }).fill('service')
    await page.getByRole('button', { name: 'Show all 12' }).waitFor()
    expect(await page.getByRole('meter').count()).toBe(5)

    await page.getByRole('link', { name: 'Requests', exact: true }).click()
    await page.getByRole('combobox', { name: 'Key' }).click()
    await page.getByRole('combobox', { name: 'Search: Key' }).fill('service 11')
    expect(await page.getByRole('option').allInnerTexts()).toEqual(['service 11'])
    expect(await accessibilityViolations(page, 'searched select')).toEqual([])
    await page.keyboard.press('Enter')
    await page.waitForURL(/requests\?key=/)

    await page.getByRole('link', { name: 'API keys' }).click()
    await page.getByRole('button', { name: 'Created' }).click()
    await page.waitForURL(/sort=created_at$/)
    await page.getByRole('row', { name: /First key/ }).waitFor()
    await expect.poll(() => page.getByRole('row').nth(1).innerText()).toMatch(/^First key/)
    expect(problems).toEqual([])
  })
}

async function send<Data>(method: string, address: string, token: string, body: object): Promise<Data> {
  const response = await fetch(address, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(await response.text())
  return ((await response.json()) as { readonly data: Data }).data
}
