// node scripts/check-installed.mjs <clone>: fails if `npm start` installed more there than these limits, which a change may
// raise if it says why.
import { join } from 'node:path'
import { installedIn } from './installed-in.mjs'

const limits = { packages: 314, files: 27_000, bytes: 420_000_000 }

const installed = installedIn(join(process.argv[2] ?? '.', 'node_modules', '.pnpm'))
for (const kind of /** @type {const} */ (['packages', 'files', 'bytes'])) {
  console.log(
    `npm start installs ${installed[kind].toLocaleString('en')} ${kind}, at most ${limits[kind].toLocaleString('en')}`,
  )
  if (installed[kind] > limits[kind]) process.exitCode = 1
}
