import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { accessibilityViolations } from './accessibility.ts'
import type { Dashboard } from './open-dashboard.ts'

/** Defines the tests of the webhooks page. */
export function testWebhooks(dashboard: () => Dashboard): void {
  test('the dashboard creates a webhook, and shows deliveries that succeed, fail, and succeed again', async () => {
    const receiver = await startReceiver()
    const { openPage, logIn, problems } = await dashboard().newProfile()
    await logIn('webhooks@example.com')
    const page = await openPage('/webhooks')
    await page.getByRole('button', { name: 'Create webhook' }).first().click()
    const form = page.getByRole('dialog')
    await form.getByLabel('URL').fill(receiver.url)
    await form.getByLabel('Description').fill('Order tracking')
    await form.getByRole('checkbox', { name: 'All events' }).uncheck()
    await form.getByRole('checkbox', { name: 'shipment.*' }).check()
    expect(await accessibilityViolations(page, 'create')).toEqual([])
    await form.getByRole('button', { name: 'Create webhook' }).click()

    const secret = await page.getByRole('region', { name: 'signing secret' }).innerText()
    expect(secret).toMatch(/^whsec_/)
    expect(await page.getByRole('region', { name: 'Express receiver' }).innerText()).toContain(secret)
    await page.getByRole('button', { name: 'Done' }).click()
    const record = page.getByRole('dialog', { name: 'Order tracking' })
    await record.waitFor()

    await record.getByRole('button', { name: 'Send test event' }).click()
    const sheet = page.getByRole('dialog', { name: 'webhook.test' })
    await sheet.getByText('HTTP 204').waitFor()
    await sheet.getByText('Delivered', { exact: true }).waitFor()

    receiver.respondWith(410)
    await sheet.getByRole('button', { name: 'Redeliver' }).click()
    await sheet.getByText('HTTP 410').waitFor()
    await sheet.getByText('Failed', { exact: true }).waitFor()
    expect(await accessibilityViolations(page, 'delivery')).toEqual([])
    await page.keyboard.press('Escape')
    await record.getByText('The receiver responded with 410 Gone').waitFor()
    expect(await accessibilityViolations(page, 'disabled')).toEqual([])
    await page.keyboard.press('Escape')
    await record.waitFor({ state: 'detached' })
    const row = page.getByRole('row', { name: /Order tracking/ })
    await row.getByText(/^Failing since/).waitFor()
    await row.getByText(/^Last success/).waitFor()
    expect(await accessibilityViolations(page, 'failing')).toEqual([])
    await row.getByRole('link').click()

    receiver.respondWith(204)
    await record.getByRole('button', { name: 'Enable' }).click()
    await page.getByText('Webhook enabled').waitFor()
    await record.getByRole('button', { name: 'Failed', exact: true }).click()
    await record.getByRole('link', { name: 'webhook.test' }).click()
    await sheet.getByRole('button', { name: 'Redeliver' }).click()
    await sheet.getByText('Delivered', { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('No delivery matches').waitFor()
    await page.reload()
    await record.getByText(/^Delivered .*(now|ago)$/).waitFor()
    expect(receiver.statuses()).toEqual([204, 410, 204])
    expect(problems).toEqual([])
  })

  test('the dashboard shows the issue of a URL beside it, with the request id', async () => {
    const { openPage, logIn } = await dashboard().newProfile()
    await logIn('private-webhook@example.com')
    const page = await openPage('/webhooks')
    await page.getByRole('button', { name: 'Create webhook' }).first().click()
    await page.getByLabel('URL').fill('https://10.0.0.1/')
    await page.getByRole('dialog').getByRole('button', { name: 'Create webhook' }).click()
    await page.getByText(/^URL must not point to a private or reserved address/).waitFor()
    expect(await page.getByRole('alert').innerText()).toMatch(/INVALID_REQUEST\s*·\s*req_/)
  })
}

interface Receiver {
  readonly url: string
  respondWith(status: number): void
  /** The status of each response so far. */
  statuses(): readonly number[]
}

/** A receiver of webhooks on this machine. It is stopped when the test ends. */
async function startReceiver(): Promise<Receiver> {
  let status = 204
  const sent: number[] = []
  const server = createServer((_request, response) => {
    sent.push(status)
    response.writeHead(status).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    respondWith: (next) => void (status = next),
    statuses: () => sent,
  }
}
