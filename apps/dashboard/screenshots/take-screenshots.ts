import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { buildDashboard } from '../../../scripts/launcher/build-dashboard.mjs'
import { findChromium } from '../e2e/find-chromium.ts'
import { addExampleData, admin } from './example-data.ts'
import { startService } from './start-service.ts'

// Takes a screenshot of each page with example data, light and dark, on a desktop and a phone:
// npm run screenshots -- [folder, default: docs/screenshots] [paths, default: all]

const root = join(import.meta.dirname, '../../..')
const secretKey = 'the secret key of the screenshots, 32 characters or more'
const sizes = {
  desktop: { width: 1360, height: 850 },
  phone: { width: 390, height: 844 },
} as const
const allPaths = [
  '/',
  '/playground',
  '/api-keys',
  '/models',
  '/requests',
  '/webhooks',
  '/shipments',
  '/activity',
  '/users',
  '/providers',
  '/settings',
]

const [folder = join(root, 'docs/screenshots'), ...chosen] = process.argv.slice(2)
const paths = chosen.length > 0 ? chosen : allPaths

const executablePath = findChromium()
if (executablePath === undefined)
  throw new Error('no Chromium was found: install it, or name it with FAIRLEAD_CHROMIUM')
if (!buildDashboard(root, process.execPath)) throw new Error('the dashboard could not be built')
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
      const page = await context.newPage()
      for (const [device, viewport] of Object.entries(sizes)) {
        await page.setViewportSize(viewport)
        for (const path of paths) {
          await page.goto(`${url}/dashboard${path}`, { waitUntil: 'load' })
          await page.getByRole('heading', { level: 1 }).waitFor()
          // Queries that start after the page have ended, apart from streams.
          await page.waitForFunction(() => document.querySelector('[aria-busy="true"]') === null)
          await page.waitForTimeout(500)
          await prepare(page, path)
          const name = `${path === '/' ? 'overview' : path.slice(1)}-${theme}-${device}.png`
          await page.screenshot({ path: join(folder, name) })
        }
      }
      await context.close()
    }
  } finally {
    await browser.close()
  }
}

/** Shows what a page is for, where that needs an action. */
async function prepare(page: Page, path: string): Promise<void> {
  if (path !== '/playground') return
  await page.getByRole('button', { name: 'Name three ideas for a coffee shop' }).click()
  await page.getByRole('button', { name: /^Run/ }).click()
  await page.getByText('Done', { exact: true }).waitFor()
}
