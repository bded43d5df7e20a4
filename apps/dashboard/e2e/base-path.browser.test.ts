import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { startDefaultServer } from '../../../scripts/docs/default-server.ts'
import { pathProxy } from '../../server/src/testing/path-proxy.ts'
import { findChromium } from './find-chromium.ts'
import { launchChromium } from './launch-chromium.ts'
import { newPage } from './new-page.ts'

const executablePath = findChromium()

// Without Chromium, `describe-dashboard.ts` warns, or fails in CI.
describe.skipIf(executablePath === undefined)('behind a proxy with a path', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launchChromium(executablePath ?? '')
  })
  afterAll(() => browser?.close())

  test.each(['keeps', 'removes'] as const)(
    'behind a proxy with a path that it %s, the sign-in link and all pages work',
    async (mode) => {
      const { home, passTo, close } = await pathProxy(mode)
      onTestFinished(close)
      const server = await startDefaultServer({ FAIRLEAD_BASE_URL: home })
      onTestFinished(() => server.stop())
      passTo(server.port)
      const { context, page, problems } = await newPage(browser)
      context.on('response', (response) => {
        const url = response.url()
        const isOutside = !url.startsWith(`${home}/`) && url !== home
        if (!/^(?:data|blob):/.test(url) && (isOutside || response.status() >= 400))
          problems.push(`${response.status()} ${url}`)
      })

      // The service sends a browser to the dashboard.
      await page.goto(home)
      expect(page.url()).toContain(`${home}/dashboard`)
      await page.goto('about:blank')
      await page.goto(`${home}/dashboard#sign-in=${server.signInToken}`)
      await page.getByRole('heading', { name: 'Overview' }).waitFor()
      for (const name of ['Requests', 'API keys', 'Models', 'Playground', 'Webhooks', 'Users', 'Providers']) {
        await page.getByRole('navigation').getByRole('link', { name, exact: true }).click()
        await page.getByRole('heading', { name, level: 1 }).waitFor()
        expect(page.url()).toContain(`${home}/dashboard/`)
      }
      // The session is in a cookie for the path.
      await page.reload()
      await page.getByRole('heading', { name: 'Providers', level: 1 }).waitFor()

      await page.goto(`${home}/docs`)
      await page
        .getByRole('heading', { name: /^Fairlead/ })
        .first()
        .waitFor()
      await page.goto(`${home}/graphql`)
      await page.getByRole('button', { name: /Execute query/ }).waitFor()
      await page.locator('.view-lines').first().waitFor()
      expect(problems).toEqual([])
    },
  )
})
