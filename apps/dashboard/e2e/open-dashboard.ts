import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { type Browser, type BrowserContext, type BrowserContextOptions, type Page, chromium } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { type DefaultServer, startDefaultServer } from '../../../scripts/docs/default-server.ts'
import { buildDashboard } from '../../../scripts/launcher/build-dashboard.mjs'
import { rememberSession } from './remember-session.ts'

export interface Dashboard extends DefaultServer {
  readonly browser: Browser
  /** The address of the dashboard. */
  readonly address: string
  /** Opens a browser profile without cookies. It is closed when the test ends. */
  newProfile(options?: BrowserContextOptions): Promise<Profile>
}

export interface Profile {
  readonly context: BrowserContext
  /** What the console of its pages reported: errors of scripts and violations of the Content-Security-Policy. */
  readonly problems: readonly string[]
  /** What the console reported, with the requests that failed. */
  readonly consoleErrors: readonly string[]
  openPage(path?: string): Promise<Page>
  /** Creates a user, logs in, and resolves to the id of the user. The tests need more users than an address may sign up. */
  logIn(email: string, role?: 'member' | 'admin'): Promise<string>
}

export const password = 'correct horse battery'

/** Builds the dashboard, serves it on an empty directory, and starts a browser. */
export async function openDashboard(executablePath: string): Promise<Dashboard> {
  const root = join(import.meta.dirname, '../../..')
  if (!(await buildDashboard(root, process.execPath))) throw new Error('the dashboard could not be built')
  const [server, browser] = await Promise.all([
    // The receivers of webhooks run on this machine.
    startDefaultServer({ FAIRLEAD_WEBHOOKS_ALLOW_NETWORKS: '127.0.0.1' }),
    // CI runs as root, where the sandbox of Chromium cannot start.
    chromium.launch({ executablePath, args: ['--no-sandbox'] }),
  ])
  const address = `${server.url}/dashboard`
  const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

  return {
    ...server,
    browser,
    address,
    async newProfile(options) {
      const context = await browser.newContext({ reducedMotion: 'reduce', ...options })
      onTestFinished(() => context.close())
      await context.addInitScript({ content: axe })
      const problems: string[] = []
      const consoleErrors: string[] = []
      context.on('weberror', (error) => problems.push(error.error().message))
      context.on('console', (message) => {
        if (message.type() === 'error') consoleErrors.push(message.text())
        // The browser also reports each failed request, which the tests cause on purpose.
        const isProblem = message.type() === 'error' && !message.text().startsWith('Failed to load resource')
        if (isProblem) problems.push(message.text())
      })
      return {
        context,
        problems,
        consoleErrors,
        async openPage(path = '') {
          const page = await context.newPage()
          page.setDefaultTimeout(120_000)
          await page.goto(address + path)
          return page
        },
        async logIn(email, role = 'member') {
          const { request } = context
          const headers = { authorization: `Bearer ${server.key}` }
          const user = { email, password, name: 'Ada Lovelace', role }
          const created = await request.post(`${server.url}/api/v1/users`, { headers, data: user })
          if (!created.ok()) throw new Error(await created.text())
          const session = await request.post(`${server.url}/auth/login`, {
            data: { email, password, session: 'cookie' },
          })
          if (!session.ok()) throw new Error(await session.text())
          await rememberSession(context)
          const { data } = (await created.json()) as { readonly data: { readonly id: string } }
          return data.id
        },
      }
    },
    async stop() {
      await browser.close()
      await server.stop()
    },
  }
}
