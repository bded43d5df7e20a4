import type { Browser } from 'playwright-core'
import { onTestFinished } from 'vitest'

/** A page in a fresh browser profile, for one test, and the errors that its scripts do not catch. */
export async function newPage(browser: Browser) {
  const context = await browser.newContext({ reducedMotion: 'reduce' })
  onTestFinished(() => context.close())
  const problems: string[] = []
  context.on('weberror', (error) => problems.push(error.error().message))
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  return { context, page, problems }
}
