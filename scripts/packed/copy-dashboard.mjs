// Run before the server is packed: builds the dashboard, and puts it into the package.
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { buildDashboard } from '../launcher/build-dashboard.mjs'

const root = join(import.meta.dirname, '../..')
const packed = join(root, 'apps/server/dist/dashboard')

if (!buildDashboard(root, process.execPath)) process.exit(1)
rmSync(packed, { recursive: true, force: true })
cpSync(join(root, 'apps/dashboard/dist'), packed, { recursive: true, filter: (path) => !path.endsWith('.sources') })
