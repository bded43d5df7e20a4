import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { startDefaultServer } from '../../../scripts/docs/default-server.ts'
import { clientSettings, oidcProvider } from '../../server/src/testing/oidc-provider.ts'
import { findChromium } from './find-chromium.ts'
import { launchChromium } from './launch-chromium.ts'
import { newPage } from './new-page.ts'

const executablePath = findChromium()
const ada = { sub: 'ada', email: 'ada@example.com', email_verified: true, name: 'Ada Lovelace' }

// Without Chromium, `describe-dashboard.ts` warns, or fails in CI.
describe.skipIf(executablePath === undefined)('single sign-on', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launchChromium(executablePath ?? '')
  })
  afterAll(() => browser?.close())

  async function openPage(path: string, environment: Readonly<Record<string, string>> = {}) {
    const provider = await oidcProvider()
    const server = await startDefaultServer({
      FAIRLEAD_OIDC_ISSUER: provider.issuer,
      FAIRLEAD_OIDC_NAME: 'Example ID',
      ...clientSettings,
      ...environment,
    })
    onTestFinished(() => server.stop())
    provider.open(server.url)
    const { context, page, problems } = await newPage(browser)
    await page.goto(`${server.url}/dashboard${path}`)
    return { ...server, provider, context, page, problems }
  }

  test('single sign-on leads from the page that was asked for through the provider, and back', async () => {
    const { page, provider, problems } = await openPage('/api-keys')
    provider.signInAs('nobody')
    await page.getByRole('link', { name: 'Sign in with Example ID' }).click()
    await page.getByRole('alert').getByText('the sign-in was cancelled').waitFor()
    provider.signInAs(ada)
    await page.getByRole('link', { name: 'Sign in with Example ID' }).click()
    await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor()
    expect(page.url()).not.toContain('sign-in')
    expect(problems).toEqual([])
  })

  test('a sign-in link asks before it replaces the session of another user', async () => {
    const { page, provider, context, url, signInToken, problems } = await openPage('')
    provider.signInAs(ada)
    await page.getByRole('link', { name: 'Sign in with Example ID' }).click()
    await page.getByRole('button', { name: /^Account: Ada/ }).waitFor()
    const openLink = async () => {
      const tab = await context.newPage()
      await tab.goto(`${url}/dashboard/models#sign-in=${signInToken}`)
      await tab.getByRole('heading', { name: 'Use the sign-in link?' }).waitFor()
      return tab
    }
    const [kept, replaced] = [await openLink(), await openLink()]
    await kept.getByRole('button', { name: 'Stay logged in' }).click()
    await kept.getByRole('button', { name: /^Account: Ada/ }).waitFor()
    await replaced.getByRole('button', { name: 'Use the link' }).click()
    await replaced.getByRole('button', { name: /^Account: Admin/ }).waitFor()
    expect(new URL(replaced.url()).pathname).toBe('/dashboard/models')
    await page.getByRole('button', { name: /^Account: Admin/ }).waitFor()
    expect(problems).toEqual([])
  })

  test('single sign-on is the only way to log in without passwords, also when the session of an open page has ended', async () => {
    const { page, provider, context, problems } = await openPage('', { FAIRLEAD_PASSWORDS: 'off' })
    provider.signInAs(ada)
    const link = page.getByRole('link', { name: 'Sign in with Example ID' })
    await link.waitFor()
    expect(await page.getByRole('textbox').count()).toBe(0)
    expect(await page.getByText('Sign up').count()).toBe(0)
    await link.click()
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await page.getByRole('link', { name: 'Models' }).click()
    await page.getByRole('heading', { name: 'Models', level: 1 }).waitFor()
    await provider.logOut('ada')
    await page.getByRole('link', { name: 'API keys' }).click()
    const again = page.getByRole('dialog', { name: 'Your session has ended' })
    const opened = context.waitForEvent('page')
    await again.getByRole('link', { name: 'Sign in with Example ID' }).click()
    await (await opened).getByRole('heading', { name: 'Overview' }).waitFor()
    await again.waitFor({ state: 'detached' })
    expect(problems).toEqual([])
  })

  test('single sign-on creates users when they sign in, and not by admins, without passwords', async () => {
    const { page, provider, problems } = await openPage('/users', {
      FAIRLEAD_PASSWORDS: 'off',
      FAIRLEAD_ADMIN_EMAIL: ada.email,
    })
    provider.signInAs(ada)
    await page.getByRole('link', { name: 'Sign in with Example ID' }).click()
    await page.getByRole('heading', { name: 'Users', level: 1 }).waitFor()
    await page.getByText('Passwords are off, so users are created when they first sign in with Example ID.').waitFor()
    await page.getByRole('link', { name: 'Admin', exact: true }).waitFor()
    expect(await page.getByRole('button', { name: 'Create user' }).count()).toBe(0)
    expect(problems).toEqual([])
  })
})
