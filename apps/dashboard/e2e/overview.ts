import { expect, test } from 'vitest'
import { accessibilityViolations } from './accessibility.ts'
import type { Dashboard } from './open-dashboard.ts'

/** Defines the tests of the overview. */
export function testOverview(dashboard: () => Dashboard): void {
  test('shows custom days in the chosen time zone, and compares them with the days before', async () => {
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
}
