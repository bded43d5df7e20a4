// npm run docs -- --help: the documentation site.
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createServer, serve } from 'vitepress'
import { buildSite } from './build.ts'
import { publish } from './publish.ts'
import { writeReference } from './reference.ts'

const root = join(import.meta.dirname, '../..')
const [command = 'build', ...options] = process.argv.slice(2)

if (command === 'build') {
  const [base = '/'] = options
  await writeReference(root)
  await buildSite(root, base)
} else if (command === 'dev') {
  await writeReference(root, { keepPackages: true })
  const server = await createServer(join(root, 'docs'))
  await server.listen()
  server.printUrls()
} else if (command === 'preview') await serve({ root: join(root, 'docs') })
else if (command === 'publish' && options[0] !== undefined) {
  const [folder, base = '/fairlead/'] = options
  const { version } = JSON.parse(readFileSync(join(root, 'packages/core/package.json'), 'utf8')) as {
    readonly version: string
  }
  publish(resolve(folder), base, version)
} else {
  console.log('npm run docs -- [build] [base path]: builds the site into docs/.vitepress/dist, and checks its links')
  console.log('npm run docs -- dev: serves the site, and shows changes at once')
  console.log('npm run docs -- preview: serves what was built')
  console.log(
    'npm run docs -- publish <folder> [base path]: adds the site to a folder that has those of older versions',
  )
  process.exitCode = command === '--help' ? 0 : 1
}
