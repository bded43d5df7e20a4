// Fails if a test file takes longer than a test of `npm test` may, by what the last runs recorded.
import { lastRun, slowFiles } from './test-times.ts'

const found = slowFiles(lastRun() ?? { files: {} })
for (const fault of found) console.log(`${fault}: make it faster, or name it .fuzz.test.ts or .clients.test.ts`)
if (found.length > 0) process.exitCode = 1
