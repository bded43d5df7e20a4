import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { buildDashboard } from '../../../scripts/launcher/build-dashboard.mjs'
import { findChromium } from '../e2e/find-chromium.ts'
import { rememberSession } from '../e2e/remember-session.ts'
import { addExampleData, admin } from './example-data.ts'
import { startService } from './start-service.ts'

// Takes a screenshot of each page with example data, light and dark, on a desktop and a phone:
// npm run screenshots -- [folder, default: docs/screenshots] [names, such as overview, default: all]

const root = join(import.meta.dirname, '../../..')
const secretKey = 'the secret key of the screenshots, 32 characters or more'
const sizes = {
  desktop: { width: 1360, height: 850 },
  phone: { width: 390, height: 844 },
} as const
/** The elements that a page shows while it loads: busy elements, skeletons, and charts without their canvas. */
const loading = '[aria-busy="true"], [data-skeleton], figure > div:empty'

/** Shows a row of a list in detail. */
const openFirstRow = async (page: Page) => {
  await page.locator('tbody tr').first().locator('a, button').first().click()
}

/** Shows the user whose calls the example data has. */
const openAdmin = async (page: Page) => {
  await page.getByRole('cell').getByRole('link', { name: admin.name, exact: true }).click()
}

/** The pages by the names of their files, and what must be done to show what a page is for. */
const views: Readonly<Record<string, { readonly path: string; prepare?(page: Page): Promise<void> }>> = {
  overview: { path: '/' },
  playground: { path: '/playground', prepare: runExample },
  'api-keys': { path: '/api-keys' },
  'api-key': { path: '/api-keys', prepare: openFirstRow },
  'edit-api-key': { path: '/api-keys', prepare: editFirstKey },
  models: { path: '/models' },
  requests: { path: '/requests' },
  request: { path: '/requests', prepare: openFirstRow },
  webhooks: { path: '/webhooks' },
  webhook: { path: '/webhooks', prepare: openFirstRow },
  shipments: { path: '/shipments' },
  shipment: { path: '/shipments', prepare: openFirstRow },
  activity: { path: '/activity' },
  users: { path: '/users' },
  user: { path: '/users', prepare: openAdmin },
  audit: { path: '/audit' },
  'audit-entry': { path: '/audit?action=patchUser', prepare: openFirstRow },
  providers: { path: '/providers' },
  settings: { path: '/settings' },
}

const [folder = join(root, 'docs/screenshots'), ...chosen] = process.argv.slice(2)
const names = chosen.length > 0 ? chosen : Object.keys(views)

const executablePath = findChromium()
if (executablePath === undefined)
  throw new Error('no Chromium was found: install it, or name it with FAIRLEAD_CHROMIUM')
if (!(await buildDashboard(root, process.execPath))) throw new Error('the dashboard could not be built')
const data = await mkdtemp(join(tmpdir(), 'fairlead-screenshots-'))
try {
  await addExampleData(data, secretKey)
  const { url, stop } = await startService(data, secretKey)
  try {
    await takeAll(url)
  } finally {
    await stop()
  }
} finally {
  await rm(data, { recursive: true, force: true })
}

async function takeAll(url: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  // Chromium's sandbox cannot start as root.
  const browser = await chromium.launch({ executablePath: executablePath!, args: ['--no-sandbox'] })
  try {
    for (const theme of ['light', 'dark'] as const) {
      const context = await browser.newContext({ colorScheme: theme, reducedMotion: 'reduce' })
      const { email, password } = admin
      await context.request.post(`${url}/auth/login`, { data: { email, password, session: 'cookie' } })
      await rememberSession(context)
      const page = await context.newPage()
      for (const [device, viewport] of Object.entries(sizes)) {
        await page.setViewportSize(viewport)
        for (const name of names) {
          const view = views[name]
          if (!view) throw new Error(`no page is called ${name}`)
          await page.goto(`${url}/dashboard${view.path}`, { waitUntil: 'load' })
          await settle(page)
          if (view.prepare) {
            await view.prepare(page)
            await settle(page)
          }
          await page.screenshot({ path: join(folder, `${name}-${theme}-${device}.png`) })
        }
      }
      await context.close()
    }
  } finally {
    await browser.close()
  }
}

/** Waits for the queries of a page, apart from streams. */
async function settle(page: Page): Promise<void> {
  await page.locator('h1').waitFor()
  await page.waitForTimeout(200)
  await page.waitForFunction((selector) => document.querySelector(selector) === null, loading)
  await page.waitForTimeout(300)
}

async function editFirstKey(page: Page): Promise<void> {
  await openFirstRow(page)
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByRole('dialog').getByText('Budget and limits').waitFor()
}

async function runExample(page: Page): Promise<void> {
  // The conversation of the screenshot before.
  const clear = page.getByRole('button', { name: 'Clear' })
  if (await clear.isVisible()) await clear.click()
  await page.getByRole('button', { name: 'Name three ideas for a coffee shop' }).click()
  await page.getByRole('button', { name: /^Run/ }).click()
  await page.getByText('Done', { exact: true }).waitFor()
}
