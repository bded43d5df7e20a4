// Prints the counts of the last run of the tests, as the last line of .ci/run.
import { lastRun } from './test-times.ts'

const { passed, failed } = lastRun() ?? { passed: 0, failed: 1 }
console.log(`${passed} passed, ${failed} failed`)
if (failed > 0) process.exitCode = 1
