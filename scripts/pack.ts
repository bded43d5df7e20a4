// npm run pack -- <folder> [packages]: writes the tarballs of published packages to a folder, from where npm installs them.
// With names, only of these packages and those that they need.
import { mkdirSync } from 'node:fs'
import { relative } from 'node:path'
import { buildPackages, packPackages, publishedPackages, withNeeded } from './packed/pack.ts'

const [folder, ...names] = process.argv.slice(2)
const published = publishedPackages()
const unknown = names.find((name) => published.every((each) => each.name !== name))
if (folder === undefined) fail('npm run pack -- <folder> [packages]')
else if (unknown !== undefined)
  fail(`There is no package "${unknown}": write ${published.map(({ name }) => name).join(', ')}`)
else {
  await buildPackages()
  mkdirSync(folder, { recursive: true })
  packPackages(names.length > 0 ? withNeeded(names, published) : published, folder)
  console.log(`Install them in your program: npm install ${relative('', folder)}/*.tgz`)
}

function fail(message: string): void {
  console.log(message)
  process.exitCode = 1
}
