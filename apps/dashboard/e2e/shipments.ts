import { expect, test } from 'vitest'
import { accessibilityViolations } from './accessibility.ts'
import type { Dashboard } from './open-dashboard.ts'

const address = { Name: 'Depot', Street: 'Hafenstr. 1', 'Postal code': '20457', City: 'Hamburg', Country: 'de' }

/** Defines the tests of the shipments page and of the activity page. */
export function testShipments(dashboard: () => Dashboard): void {
  test('the dashboard creates a shipment, changes it through its statuses, and deletes it', async () => {
    const { openPage, logIn, problems } = await dashboard().newProfile()
    await logIn('shipments@example.com')
    const page = await openPage('/shipments')
    await page.getByRole('button', { name: 'Create shipment' }).first().click()
    const form = page.getByRole('dialog')
    await form.getByLabel('Reference').fill('ORDER-1001')
    for (const group of ['From', 'To']) {
      const fields = form.getByRole('group', { name: group, exact: true })
      // oxlint-disable-next-line no-await-in-loop -- one field after the other, as people do
      for (const [label, value] of Object.entries(address)) await fields.getByLabel(label).fill(value)
    }
    await form.getByLabel('Weight, kg').fill('2.5')
    expect(await accessibilityViolations(page, 'create')).toEqual([])
    await form.getByRole('button', { name: 'Create shipment' }).click()
    const record = page.getByRole('dialog', { name: 'ORDER-1001', exact: true })
    await record.waitFor()

    const next = record.getByRole('group', { name: 'Next status' }).getByRole('button')
    for (const [offered, chosen] of [
      [['Mark as in transit', 'Mark as cancelled'], 'in transit'],
      [['Mark as out for delivery', 'Mark as exception'], 'exception'],
      [['Mark as in transit', 'Mark as returned'], 'in transit'],
      [['Mark as out for delivery', 'Mark as exception'], 'out for delivery'],
      [['Mark as delivered', 'Mark as exception'], 'delivered'],
    ] as const) {
      // oxlint-disable-next-line no-await-in-loop -- one status after the other
      await expect.poll(() => next.allInnerTexts()).toEqual(offered)
      // oxlint-disable-next-line no-await-in-loop -- the page offers the next status only then
      await record.getByRole('button', { name: `Mark as ${chosen}` }).click()
    }
    await page.getByText('This status is final').waitFor()
    expect(await record.getByRole('listitem').filter({ hasText: 'In transit' }).count()).toBe(2)
    expect(await accessibilityViolations(page, 'detail')).toEqual([])

    await page.getByRole('button', { name: 'Edit' }).click()
    const edited = page.getByRole('dialog', { name: 'Edit ORDER-1001' })
    await edited.getByLabel('Carrier').fill('DHL')
    await edited.getByRole('button', { name: 'Save' }).click()
    await record.getByText('DHL', { exact: true }).waitFor()
    await record.getByRole('button', { name: 'Delete shipment' }).click()
    await page
      .getByRole('dialog', { name: 'Delete ORDER-1001?' })
      .getByRole('button', { name: 'Delete shipment' })
      .click()
    await page.getByText('No shipments yet').waitFor()
    expect(problems).toEqual([])
  })

  test('the dashboard shows events as they happen, and holds them back while paused', async () => {
    const { openPage, logIn, problems } = await dashboard().newProfile()
    await logIn('activity@example.com')
    const page = await openPage('/activity')
    await page.getByText('Live', { exact: true }).waitFor()
    const other = await openPage('/api-keys')
    async function createKey(name: string) {
      await other.getByRole('button', { name: 'Create key' }).first().click()
      await other.getByLabel('Name').fill(name)
      await other.getByRole('dialog').getByRole('button', { name: 'Create key' }).click()
      await other.getByRole('button', { name: 'Done' }).click()
    }
    await createKey('first')
    await page.getByRole('row', { name: /api_key.created first/ }).waitFor()
    await page.getByRole('button', { name: 'Pause' }).click()
    await createKey('second')
    await page.getByRole('button', { name: 'Resume (1 new)' }).waitFor()
    expect(await page.getByRole('row', { name: /second/ }).count()).toBe(0)
    await page.getByRole('button', { name: 'Resume' }).click()
    await page
      .getByRole('row', { name: /api_key.created second/ })
      .getByRole('link')
      .click()
    const json = await page.getByRole('region', { name: 'data' }).innerText()
    expect(JSON.parse(json)).toMatchObject({ name: 'second', version: 1 })
    expect(await accessibilityViolations(page, 'event')).toEqual([])
    expect(problems).toEqual([])
  })
}
