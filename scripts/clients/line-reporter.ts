import { basename } from 'node:path'
import type { Reporter, TestCase, TestModule } from 'vitest/node'
import { readTitles } from './read-titles.ts'

/** Prints one line for each client, its failures, and how many clients passed. */
// oxlint-disable-next-line import/no-default-export -- vitest takes the default export of the file that a path names
export default class LineReporter implements Reporter {
  readonly #titles = readTitles()
  #passed = 0
  #failed = 0

  onTestModuleEnd(file: TestModule): void {
    const id = basename(file.moduleId).replace('.clients.test.ts', '')
    const title = this.#titles.get(id) ?? id
    const tests = [...file.children.allTests()]
    const seconds = (file.diagnostic().duration / 1_000).toFixed(0)
    if (!file.ok()) {
      this.#failed++
      console.log(`failed   ${title}`)
      for (const { message, stack } of file.errors()) console.log(`  ${stack ?? message}`)
      for (const test of tests) this.#printFailure(test)
    } else if (tests.every((test) => test.result().state === 'skipped')) {
      const [suite] = file.children.allSuites()
      const [, reason = 'its tests say why'] = suite?.name.split(/: (.*)/s) ?? []
      console.log(`skipped  ${title}: ${reason}`)
    } else {
      this.#passed++
      console.log(`passed   ${title}, ${tests.length} tests in ${seconds} s`)
    }
  }

  onTestRunEnd(_files: readonly TestModule[], errors: readonly { readonly message: string }[]): void {
    for (const { message } of errors) console.log(message)
    console.log(`${this.#passed} passed, ${this.#failed} failed`)
  }

  #printFailure(test: TestCase): void {
    const { state, errors = [] } = test.result()
    if (state !== 'failed') return
    console.log(`  ${test.fullName}`)
    for (const { message, diff, stack } of errors) {
      const lines = [message, diff, stack?.split('\n').find((line) => line.includes('clients'))]
      console.log(
        lines
          .flatMap((text) => text ?? [])
          .join('\n')
          .replace(/^/gm, '    '),
      )
    }
  }
}
