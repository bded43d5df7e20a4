import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { buildDashboard } from '../../../scripts/launcher/build-dashboard.mjs'
import { findChromium } from '../e2e/find-chromium.ts'
import { rememberSession } from '../e2e/remember-session.ts'
import { startService } from '../screenshots/start-service.ts'
import { measureTasks } from './main-thread.ts'
import { addManyRows, admin } from './many-rows.ts'
import { streamLongText } from './stream-text.ts'

// Measures the dashboard in Chromium, with many rows behind its lists: when the overview shows its figures in a fresh
// profile, and the CPU time of the longest tasks of its main thread. npm run bench:dashboard -- [rows, default: 10000] [rounds, default: 5]

const rows = Number(process.argv[2] ?? 10_000)
const rounds = Number(process.argv[3] ?? 5)
const streamedCharacters = 50_000
const secretKey = 'the secret key of this benchmark, 32 characters or more'

const executablePath = findChromium()
if (executablePath === undefined)
  throw new Error('no Chromium was found: install it, or name it with FAIRLEAD_CHROMIUM')
if (!(await buildDashboard(join(import.meta.dirname, '../../..'), process.execPath)))
  throw new Error('the dashboard could not be built')

const data = await mkdtemp(join(tmpdir(), 'fairlead-bench-'))
try {
  await addManyRows(data, secretKey, rows)
  const { url, stop } = await startService(data, secretKey)
  // Chromium's sandbox cannot start as root.
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  try {
    await measureOverview(browser, url)
    await measureLists(browser, url)
    await measureStream(browser, url)
  } finally {
    await browser.close()
    await stop()
  }
} finally {
  await rm(data, { recursive: true, force: true })
}

async function openProfile(browser: Browser, url: string): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1360, height: 850 } })
  const { email, password } = admin
  await context.request.post(`${url}/auth/login`, { data: { email, password, session: 'cookie' } })
  await rememberSession(context)
  return context.newPage()
}

async function measureOverview(browser: Browser, url: string): Promise<void> {
  const figures: number[] = []
  const charts: number[] = []
  const longest: number[] = []
  let bytes = 0
  // The first round is not counted: it warms the service.
  for (let round = 0; round <= rounds; round += 1) {
    const page = await openProfile(browser, url)
    let figuresAt = 0
    let chartsAt = 0
    const tasks = await measureTasks(browser, page, async () => {
      await page.goto(`${url}/dashboard`, { waitUntil: 'commit' })
      const figure = await page.waitForFunction(
        () => document.querySelector('dl dd > span.text-xl') && performance.now(),
      )
      figuresAt = Number(await figure.jsonValue())
      const chart = await page.waitForFunction(
        () => document.querySelectorAll('figure canvas').length >= 3 && performance.now(),
      )
      chartsAt = Number(await chart.jsonValue())
      await page.waitForLoadState('networkidle')
    })
    bytes = await page.evaluate(() =>
      (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
        .filter(({ name }) => name.endsWith('.js'))
        .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
    )
    await page.context().close()
    if (round === 0) continue
    figures.push(figuresAt)
    charts.push(chartsAt)
    longest.push(tasks[0] ?? 0)
  }
  console.log(`Overview, ${rounds} fresh profiles, ${(bytes / 1000).toFixed(0)} kB of scripts (Brotli):`)
  report('  figures shown after', figures)
  report('  charts shown after', charts)
  report('  longest task', longest)
}

async function measureLists(browser: Browser, url: string): Promise<void> {
  const page = await openProfile(browser, url)
  const next = async () => {
    await page.getByRole('button', { name: 'Next' }).click()
    await settle(page)
  }
  console.log(`Lists with ${rows} rows, longest tasks in ms:`)
  for (const path of ['/requests', '/shipments', '/activity', '/webhooks', '/api-keys', '/users']) {
    const show = (step: string, tasks: readonly number[]) =>
      console.log(`  ${`${path}, ${step}`.padEnd(32)} ${findLongest(tasks)}`)
    show(
      'open',
      await measureTasks(browser, page, async () => {
        await page.goto(`${url}/dashboard${path}`)
        await settle(page)
      }),
    )
    if (path === '/webhooks') {
      show(
        'deliveries',
        await measureTasks(browser, page, async () => {
          await page.locator('tbody a').first().click()
          await settle(page)
        }),
      )
    }
    if (!(await page.getByRole('button', { name: 'Next' }).isVisible())) continue
    show(
      'three pages',
      await measureTasks(browser, page, async () => {
        await next()
        await next()
        await next()
      }),
    )
    show(
      'a row',
      await measureTasks(browser, page, async () => {
        await page.locator('tbody tr').first().locator('button, a').first().click()
        await settle(page)
      }),
    )
  }
  await page.context().close()
}

async function measureStream(browser: Browser, url: string): Promise<void> {
  const page = await openProfile(browser, url)
  await streamLongText(page, streamedCharacters)
  await page.goto(`${url}/dashboard/playground?prompt=${encodeURIComponent('Write a long text')}`)
  const tasks = await measureTasks(browser, page, async () => {
    await page.getByRole('button', { name: 'Run' }).and(page.locator(':not([aria-disabled])')).click()
    await page.getByText('Done', { exact: true }).waitFor({ timeout: 120_000 })
    await settle(page)
  })
  console.log(`Playground, ${streamedCharacters} characters streamed, longest tasks in ms: ${findLongest(tasks)}`)
  await page.context().close()
}

/** Waits until nothing loads anymore, apart from streams. */
async function settle(page: Page): Promise<void> {
  await page.locator('h1').waitFor()
  await page.waitForTimeout(300)
  await page.waitForFunction(() => document.querySelector('main [aria-busy="true"]') === null)
  await page.waitForTimeout(200)
}

function findLongest(tasks: readonly number[]): string {
  return tasks
    .slice(0, 3)
    .map((ms) => ms.toFixed(0))
    .join(' ')
}

function report(label: string, values: readonly number[]): void {
  const sorted = values.toSorted((one, other) => one - other)
  const all = sorted.map((ms) => ms.toFixed(0)).join(' ')
  console.log(`${label} ${sorted[values.length >> 1]?.toFixed(0)} ms (median of ${all})`)
}
