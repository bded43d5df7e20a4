#!/usr/bin/env node
// Imports nothing else at first: an older Node could not even parse the rest.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)

if (major < 22 || (major === 22 && minor < 19)) {
  console.error(
    `Fairlead needs Node 22.19 or newer, but this is Node ${process.versions.node}. Install it from nodejs.org.`,
  )
  process.exitCode = 1
} else {
  const { run } = await import('./program.ts')
  await run(process.argv.slice(2))
}
