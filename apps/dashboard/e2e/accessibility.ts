import type { Page } from 'playwright-core'

const looks = [
  ['light', 1280],
  ['dark', 1280],
  ['light', 390],
  ['dark', 390],
] as const

/** What axe finds on a page, light and dark, on a desktop and a phone. */
export async function accessibilityViolations(page: Page, name: string): Promise<readonly string[]> {
  const found: string[] = []
  for (const [colorScheme, width] of looks) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.setViewportSize({ width, height: 800 })
    found.push(...(await page.evaluate(runAxe)).map((text) => `${name}, ${colorScheme}, ${width}px: ${text}`))
  }
  await page.setViewportSize({ width: 1280, height: 800 })
  return found
}

/** Runs in the browser. */
async function runAxe(): Promise<string[]> {
  const { axe } = globalThis as unknown as { readonly axe: typeof import('axe-core') }
  const { violations } = await axe.run()
  return violations.map(({ id, nodes }) => {
    const places = nodes.map(({ target, failureSummary }) => `${target.join(' ')}: ${failureSummary}`)
    return `${id}: ${places.join(' | ')}`
  })
}
