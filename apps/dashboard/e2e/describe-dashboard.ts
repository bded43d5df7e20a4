import { afterAll, beforeAll, describe } from 'vitest'
import { findChromium } from './find-chromium.ts'
import { type Dashboard, openDashboard } from './open-dashboard.ts'

const executable = findChromium()
const missing = 'no Chromium was found: install it, or name it with FAIRLEAD_CHROMIUM'
if (executable === undefined) {
  if (process.env['CI']) throw new Error(missing)
  process.stderr.write(`\n*** SKIPPED: the tests of the dashboard (${missing}). ***\n\n`)
}

/**
 * Runs tests in Chromium against a dashboard that only they use. Each file has one, so that the files run side by side.
 */
export function describeDashboard(define: (dashboard: () => Dashboard) => void): void {
  describe.skipIf(executable === undefined)('the dashboard in Chromium', () => {
    let dashboard: Dashboard
    beforeAll(async () => {
      dashboard = await openDashboard(executable ?? '')
    })
    afterAll(() => dashboard?.stop())
    define(() => dashboard)
  })
}
