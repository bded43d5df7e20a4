import { expect, test } from 'vitest'
import { accessibilityViolations } from './accessibility.ts'
import type { Dashboard } from './open-dashboard.ts'

/** Defines the tests of the links between pages. */
export function testLinks(dashboard: () => Dashboard): void {
  test('the dashboard leads from a model to the playground, and to the requests of the model', async () => {
    const { openPage, logIn, problems } = await dashboard().newProfile()
    await logIn('model-links@example.com')
    const page = await openPage('/models?query=vista')
    await page.getByRole('link', { name: 'Try Vista' }).click()
    await page.waitForURL(/playground\?mode=image&model=vista/)
    await page.getByRole('button', { name: 'Image', pressed: true }).waitFor()
    await page.goBack()

    await page.getByRole('button', { name: 'Actions for Vista' }).click()
    expect(await accessibilityViolations(page, 'actions of a model')).toEqual([])
    await page.getByRole('menuitem', { name: 'Show requests' }).click()
    await page.waitForURL(/requests\?model=vista/)
    await page.getByRole('combobox', { name: 'Model' }).filter({ hasText: 'vista' }).waitFor()
    await page.getByText('No request matches').waitFor()
    expect(problems).toEqual([])
  })

  test('the dashboard leads from a key to its requests, and from a model of the overview to the requests of the period', async () => {
    const { openPage, logIn, problems } = await dashboard().newProfile()
    await logIn('key-links@example.com')
    const page = await openPage('/api-keys')
    await page.getByRole('button', { name: 'Create key' }).first().click()
    await page.getByLabel('Name').fill('laptop')
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click()
    const snippet = await page.getByRole('region', { name: 'curl snippet' }).innerText()
    const [secret] = /fl_\w+/.exec(snippet) ?? []
    await fetch(`${dashboard().url}/generate`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'scribe', prompt: 'Say hello' }),
    })
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Actions for laptop' }).click()
    await page.getByRole('menuitem', { name: 'Show requests' }).press('Enter')
    await page.waitForURL(/requests\?key=/)
    await page.getByRole('combobox', { name: 'Key' }).filter({ hasText: 'laptop' }).waitFor()
    await page.getByRole('row', { name: /scribe · generate/ }).waitFor()

    await page.getByRole('link', { name: 'Overview' }).click()
    // Until the overview has loaded, the requests are shown, whose rows link to `scribe · generate`.
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    await page.getByRole('link', { name: 'scribe', exact: true }).click()
    await page.waitForURL(/requests\?model=scribe&range=custom&from=/)
    await page.getByRole('row', { name: /scribe · generate/ }).waitFor()
    expect(problems).toEqual([])
  })

  test('the dashboard opens a record over its list by its URL, and closes it with the back button', async () => {
    const { openPage, logIn, context, problems } = await dashboard().newProfile()
    await logIn('records@example.com')
    const page = await openPage('/webhooks?enabled=true')
    const token = await page.evaluate(async () => {
      const response = await fetch('/auth/refresh', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ session: 'cookie' }),
      })
      return ((await response.json()) as { readonly data: { readonly access_token: string } }).data.access_token
    })
    const created = await context.request.post(`${dashboard().url}/webhooks`, {
      headers: { authorization: `Bearer ${token}` },
      data: { url: 'http://127.0.0.1:9/', events: ['*'], description: 'Order tracking' },
    })
    const { data } = (await created.json()) as { readonly data: { readonly id: string } }
    await page.reload()
    const list = page.getByRole('table', { name: 'Webhooks', includeHidden: true })
    await list.evaluate((element) => element.setAttribute('data-mounted', 'since the start'))
    await page.getByRole('link', { name: /Order tracking/ }).click()
    await page.waitForURL(`**/dashboard/webhooks/${data.id}?enabled=true`)
    const record = page.getByRole('dialog', { name: 'Order tracking' })
    await record.getByRole('button', { name: 'Failed', exact: true }).click()
    await page.waitForURL(/delivery_status=failed/)
    await page.goBack()
    await record.waitFor({ state: 'detached' })
    expect(new URL(page.url()).search).toBe('?enabled=true')
    expect(await list.getAttribute('data-mounted')).toBe('since the start')

    await page.goForward()
    await record.waitFor()
    await page.reload()
    await record.waitFor()
    await record.getByRole('button', { name: 'Close' }).click()
    await list.waitFor()
    expect(new URL(page.url()).search).toBe('?enabled=true')
    expect(problems).toEqual([])
  })
}
