import { join } from 'node:path'
import { buildDashboard } from '../../../scripts/launcher/build-dashboard.mjs'
import { findChromium } from './find-chromium.ts'

/** Runs before the tests in Chromium, once for all their files. A dashboard that is up to date is kept. */
export async function setup(): Promise<void> {
  if (findChromium() === undefined) return
  const root = join(import.meta.dirname, '../../..')
  if (!(await buildDashboard(root, process.execPath))) throw new Error('the dashboard could not be built')
}
