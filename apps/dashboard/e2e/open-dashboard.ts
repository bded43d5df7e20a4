import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { type DefaultServer, startDefaultServer } from '../../../scripts/docs/default-server.ts'
import { launchChromium } from './launch-chromium.ts'
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
  /**
   * The problems that the console of its pages reported: errors of scripts and violations of the
   * Content-Security-Policy.
   */
  readonly problems: readonly string[]
  /** The messages of the console, with the requests that failed. */
  readonly consoleErrors: readonly string[]
  openPage(path?: string): Promise<Page>
  /** Creates a user, logs in, and resolves to the id of the user. The tests need more users than an address may sign up. */
  logIn(email: string, role?: 'member' | 'admin'): Promise<string>
}

export const password = 'correct horse battery'

/** Serves the dashboard on an empty directory, and starts a browser. */
export async function openDashboard(executablePath: string): Promise<Dashboard> {
  const [server, browser] = await Promise.all([
    // The receivers of webhooks run on this machine.
    startDefaultServer({ FAIRLEAD_WEBHOOKS_ALLOW_NETWORKS: '127.0.0.1' }),
    launchChromium(executablePath),
  ])
  const address = `${server.url}/dashboard`

  return {
    ...server,
    browser,
    address,
    async newProfile(options) {
      const context = await browser.newContext({ reducedMotion: 'reduce', ...options })
      onTestFinished(() => context.close())
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
