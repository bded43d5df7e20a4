import { type Browser, chromium } from 'playwright-core'

const disabledFeatures = [
  // Two pages of the address bar, which a window would load, and a renderer kept for a page to come: without them, opening
  // a page takes half the processor time.
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'SpareRendererForSitePerProcess',
  // Chromium reads only the last list, so this repeats what matters here of the list of Playwright.
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'PaintHolding',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
]

/** Starts a Chromium without a window. */
export function launchChromium(executablePath: string): Promise<Browser> {
  // CI runs as root, where the sandbox of Chromium cannot start.
  return chromium.launch({
    executablePath,
    args: ['--no-sandbox', `--disable-features=${disabledFeatures.join(',')}`],
  })
}
