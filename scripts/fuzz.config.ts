import config from '../vitest.config.ts'
import { RunReporter } from './test/run-reporter.ts'
import { projects } from './test/projects.ts'

const test = {
  ...config.test,
  projects: projects(['--project=fuzz']),
  setupFiles: ['scripts/fuzz-runs.ts'],
  testTimeout: 0,
  // More cases take longer than the cases of `npm test`, which has a limit.
  reporters: [new RunReporter({ record: false })],
}

export default { ...config, root: import.meta.dirname + '/..', test }
