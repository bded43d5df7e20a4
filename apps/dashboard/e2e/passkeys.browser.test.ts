import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { startDefaultServer } from '../../../scripts/docs/default-server.ts'
import { accessibilityViolations } from './accessibility.ts'
import { findChromium } from './find-chromium.ts'
import { launchChromium } from './launch-chromium.ts'
import { newPage } from './new-page.ts'

const executablePath = findChromium()
const ada = { email: 'ada@example.com', password: 'correct horse battery', name: 'Ada Lovelace' }

// Without Chromium, `describe-dashboard.ts` warns, or fails in CI.
describe.skipIf(executablePath === undefined)('passkeys', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launchChromium(executablePath ?? '')
  })
  afterAll(() => browser?.close())

  /** A page at the host name to which passkeys belong, in a browser with an authenticator that says yes. */
  async function openPage(path: string, role: 'member' | 'admin', environment: Readonly<Record<string, string>> = {}) {
    const server = await startDefaultServer(environment)
    onTestFinished(() => server.stop())
    const created = await fetch(`${server.url}/api/v1/users`, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...ada, role }),
    })
    const { data } = (await created.json()) as { readonly data: { readonly id: string } }
    const { context, page, problems } = await newPage(browser)
    const devtools = await context.newCDPSession(page)
    await devtools.send('WebAuthn.enable')
    await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })
    const address = `http://localhost:${server.port}/dashboard`
    await page.goto(address + path)
    const enterPassword = async () => {
      await page.getByLabel('Email').fill(ada.email)
      await page.getByLabel('Password').fill(ada.password)
      await page.getByRole('button', { name: 'Log in', exact: true }).click()
    }
    const logOut = async () => {
      await page.getByRole('button', { name: /^Account: Ada/ }).click()
      await page.getByRole('menuitem', { name: 'Log out' }).click()
      await page.getByRole('heading', { name: 'Log in' }).waitFor()
    }
    const addPasskey = async () => {
      await page.getByRole('button', { name: 'Add passkey' }).click()
      const dialog = page.getByRole('dialog', { name: 'Add a passkey' })
      await dialog.getByLabel('Current password').fill(ada.password)
      await dialog.getByRole('button', { name: 'Add passkey' }).click()
      await page.getByText('Never used').waitFor()
    }
    return { ...server, userId: data.id, page, problems, enterPassword, addPasskey, logOut }
  }

  test('a passkey is added in the settings, asked for after the password, and enough without one', async () => {
    const { page, problems, enterPassword, logOut } = await openPage('/settings', 'member')
    await enterPassword()
    await page.getByText('You have none yet.').waitFor()
    await page.getByRole('button', { name: 'Add passkey' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add a passkey' })
    expect(await accessibilityViolations(page, 'add a passkey')).toEqual([])
    await dialog.getByLabel('Current password').fill('a wrong password')
    await dialog.getByLabel('Name').fill('Phone')
    await dialog.getByRole('button', { name: 'Add passkey' }).click()
    await dialog.getByText('Current password is wrong').waitFor()
    await dialog.getByLabel('Current password').fill(ada.password)
    await dialog.getByRole('button', { name: 'Add passkey' }).click()
    await page.getByText('Never used').waitFor()
    expect(await accessibilityViolations(page, 'passkeys')).toEqual([])

    await page.getByRole('button', { name: 'Rename Phone' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Work phone')
    await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click()
    await page.getByRole('button', { name: 'Remove Work phone' }).waitFor()

    await logOut()
    await page.getByRole('button', { name: 'Log in with a passkey' }).click()
    await page.getByRole('button', { name: /^Account: Ada/ }).waitFor()

    await logOut()
    await enterPassword()
    await page.getByRole('button', { name: /^Account: Ada/ }).waitFor()

    await page.getByRole('link', { name: 'Settings' }).click()
    await page
      .getByText(/Last used/)
      .first()
      .waitFor()
    await page.getByRole('button', { name: 'Remove Work phone' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove passkey' }).click()
    await page.getByText('You have none yet.').waitFor()
    await logOut()
    await enterPassword()
    await page.getByRole('button', { name: /^Account: Ada/ }).waitFor()
    expect(problems).toEqual([])
  })

  test('the page for the passkey stays when the browser does not use one, and works when an admin has removed it', async () => {
    const { page, problems, url, key, userId, enterPassword, addPasskey, logOut } = await openPage(
      '/settings',
      'member',
    )
    await enterPassword()
    await addPasskey()
    await logOut()
    const refuse = () =>
      page.evaluate(() => {
        navigator.credentials.get = () => Promise.reject(new DOMException('cancelled', 'NotAllowedError'))
      })
    await refuse()
    await enterPassword()
    await page.getByRole('alert').getByText('was cancelled, or took too long').waitFor()
    expect(await accessibilityViolations(page, 'second factor')).toEqual([])
    await page.getByRole('button', { name: 'Use passkey' }).click()
    await page.getByRole('alert').getByText('was cancelled, or took too long').waitFor()
    await page.getByRole('button', { name: 'Start over' }).click()
    const removed = await fetch(`${url}/api/v1/users/${userId}/passkeys`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${key}` },
    })
    expect(removed.status).toBe(200)
    await enterPassword()
    await page.getByRole('button', { name: /^Account: Ada/ }).waitFor()
    expect(problems).toEqual([])
  })

  test('an admin who needs a passkey sees one page until one is added', async () => {
    const { page, problems, enterPassword, logOut } = await openPage('/users', 'admin', {
      FAIRLEAD_ADMIN_SECOND_FACTOR: 'required',
    })
    await enterPassword()
    const heading = page.getByRole('heading', { name: 'Add a passkey' })
    await heading.waitFor()
    expect(await accessibilityViolations(page, 'a passkey is required')).toEqual([])
    await page.reload()
    await heading.waitFor()
    await page.getByLabel('Current password').fill(ada.password)
    await page.getByRole('button', { name: 'Add passkey' }).click()
    await page.getByRole('row', { name: /ada@example.com/ }).waitFor()
    await logOut()
    await enterPassword()
    await page.getByRole('row', { name: /ada@example.com/ }).waitFor()
    expect(problems).toEqual([])
  })

  test('an admin removes the passkeys of a user who has lost them', async () => {
    const { page, problems, url, signInToken, userId, enterPassword, addPasskey, logOut } = await openPage(
      '/settings',
      'member',
    )
    await enterPassword()
    await addPasskey()
    await logOut()
    await page.goto(`${url}/dashboard/users/${userId}#sign-in=${signInToken}`)
    const sheet = page.getByRole('dialog', { name: ada.name })
    await sheet.getByRole('button', { name: 'Remove passkeys' }).click()
    const confirm = page.getByRole('dialog', { name: 'Remove the passkeys?' })
    expect(await accessibilityViolations(page, 'remove passkeys')).toEqual([])
    await confirm.getByRole('button', { name: 'Remove passkeys' }).click()
    await sheet.getByRole('heading', { name: 'Passkeys' }).waitFor({ state: 'detached' })
    expect(problems).toEqual([])
  })

  test('the settings lead to the address at which passkeys work', async () => {
    const { page, problems, url, port, signInToken } = await openPage('', 'member')
    await page.goto(`${url}/dashboard/settings#sign-in=${signInToken}`)
    await page.getByText(`http://localhost:${port}`).waitFor()
    expect(await page.getByRole('button', { name: 'Add passkey' }).count()).toBe(0)
    expect(problems).toEqual([])
  })
})
