// Run before the server is packed: builds the dashboard, and puts it into the package with the files of other packages that
// browsers load.
//
//   node scripts/packed/copy-browser-files.mjs [folder, default: apps/server/dist]
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { browserFiles, browserLicenses } from '../../apps/server/src/browser-files.ts'
import { buildDashboard } from '../launcher/build-dashboard.mjs'

const root = join(import.meta.dirname, '../..')
const [folder = join(root, 'apps/server/dist')] = process.argv.slice(2)
const dashboard = join(folder, 'dashboard')
const browser = join(folder, 'browser')

if (!(await buildDashboard(root, process.execPath))) process.exit(1)
rmSync(dashboard, { recursive: true, force: true })
cpSync(join(root, 'apps/dashboard/dist'), dashboard, { recursive: true, filter: (path) => !path.endsWith('.sources') })

rmSync(browser, { recursive: true, force: true })
for (const file of browserFiles) cpSync(join(root, 'node_modules', file), join(browser, file))
// In one file of another name: pnpm adds no LICENSE of ours to a package that has one in any folder.
const licenses = browserLicenses.map((file) => `${file}\n\n${readFileSync(join(root, 'node_modules', file), 'utf8')}`)
writeFileSync(join(browser, 'licenses.txt'), licenses.join('\n'))
