import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { buildDashboard } from '../../../scripts/launcher/build-dashboard.mjs'
import { findChromium } from '../e2e/find-chromium.ts'
import { addExampleData, admin } from './example-data.ts'

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
  const { url, stop } = await startService()
  try {
    await takeAll(url)
  } finally {
    await stop()
  }
} finally {
  await rm(data, { recursive: true, force: true })
}

/** Starts the service on a free port with the example data. */
async function startService() {
  const service = spawn(process.execPath, ['--conditions=@fairlead/source', 'apps/server/src/main.ts'], {
    cwd: root,
    env: {
      PATH: process.env['PATH'],
      PORT: '0',
      FAIRLEAD_DATA_DIR: data,
      FAIRLEAD_SECRET_KEY: secretKey,
      FAIRLEAD_PROVIDERS: 'local',
      FAIRLEAD_WEBHOOKS_ALLOW_NETWORKS: '127.0.0.1',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<void>((resolve) => service.on('exit', () => resolve()))
  let output = ''
  const url = await new Promise<string>((resolve, reject) => {
    service.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
      const [, address] = / listens on (\S+),/.exec(output) ?? []
      if (address) resolve(address)
    })
    void ended.then(() => reject(new Error(`the service ended: ${output}`)))
  })
  return {
    url,
    async stop() {
      service.kill('SIGTERM')
      await ended
    },
  }
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
