import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const looks = [
  ['light', 1280],
  ['dark', 1280],
  ['light', 390],
  ['dark', 390],
] as const

/** The violations that axe finds on a page, light and dark, on a desktop and a phone. */
export async function accessibilityViolations(page: Page, name: string): Promise<readonly string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(source)
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
  // Describing the elements that pass takes longer than checking them.
  const { violations } = await axe.run({ resultTypes: ['violations'] })
  return violations.map(({ id, nodes }) => {
    const places = nodes.map(({ target, failureSummary }) => `${target.join(' ')}: ${failureSummary}`)
    return `${id}: ${places.join(' | ')}`
  })
}
