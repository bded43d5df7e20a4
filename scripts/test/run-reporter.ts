import { availableParallelism, loadavg } from 'node:os'
import {
  DefaultReporter,
  type TestModule,
  type TestRunEndReason,
  type TestSpecification,
  type Vitest,
} from 'vitest/node'
import { recordRun, type TestTime } from './test-times.ts'

/** Up to so many files, each one gets a line. */
const maxListedFiles = 20

/** The line that a test writes to standard error if this machine lacks a program. */
const skipNote = /\*\*\* (SKIPPED: .*?) \*\*\*/g

/**
 * The reporter of vitest, for hundreds of files: a line for each kind of test, a line of progress on a terminal, and a
 * summary, which names what this machine could not run, and is printed when Ctrl-C ends the run, too. Records how long each
 * file took.
 */
export class RunReporter extends DefaultReporter {
  readonly #notes = new Set<string>()
  readonly #times: Record<string, TestTime> = {}
  #kinds = new Map<string, { readonly files: number; left: number; tests: number }>()
  #kindStartedAt = 0
  #files = 0
  #failed = 0
  #isRecorded: boolean

  /** @param options `record: false` leaves the record of earlier runs as it is */
  constructor({ record = true }: { readonly record?: boolean } = {}) {
    super({ summary: false })
    this.#isRecorded = record
  }

  override onInit(vitest: Vitest): void {
    super.onInit(vitest)
    this.#collectNotes()
    process.once('SIGINT', () => {
      const files = vitest.state.getTestModules()
      const running = files.filter((file) => ['pending', 'queued'].includes(file.state()))
      this.onTestRunEnd(files, vitest.state.getUnhandledErrors() as never, 'interrupted')
      this.log(`Interrupted. Files still running: ${running.map((file) => file.relativeModuleId).join(', ') || 'none'}`)
      // Waiting for the tests would take as long as they do.
      process.exit(130)
    })
  }

  override onTestRunStart(specifications: readonly TestSpecification[]): void {
    super.onTestRunStart(specifications)
    this.#files = specifications.length
    this.#kinds = new Map()
    const counts = Map.groupBy(specifications, ({ project }) => project.name)
    for (const [name, { length: files }] of counts) this.#kinds.set(name, { files, left: files, tests: 0 })
    this.#kindStartedAt = performance.now()
  }

  override onTestModuleEnd(module: TestModule): void {
    super.onTestModuleEnd(module)
    const { collectDuration, setupDuration, duration } = module.diagnostic()
    this.#times[module.relativeModuleId] = {
      seconds: Math.round((collectDuration + setupDuration + duration) / 100) / 10,
      load: Math.round(((loadavg()[0] ?? 0) / availableParallelism()) * 10) / 10,
    }
    if (module.state() === 'failed') this.#failed++
    this.#count(module)
  }

  override onTestRunEnd(...[modules, errors, reason]: Parameters<DefaultReporter['onTestRunEnd']>): void {
    this.#clearProgress()
    super.onTestRunEnd(modules, errors, reason)
    for (const note of this.#notes) this.log(`*** ${note} ***`)
    if (this.#isRecorded) this.#record(modules, errors.length, reason)
  }

  override log(...messages: unknown[]): void {
    this.#clearProgress()
    super.log(...messages)
  }

  protected override printTestModule(module: TestModule): void {
    if (this.#files <= maxListedFiles) super.printTestModule(module)
    else if (module.state() === 'failed') this.log(` FAIL  ${module.relativeModuleId}`)
  }

  #count(module: TestModule): void {
    const kind = this.#kinds.get(module.project.name)
    if (kind === undefined) return
    kind.left--
    kind.tests += [...module.children.allTests()].length
    if (kind.left === 0) {
      const seconds = Math.round((performance.now() - this.#kindStartedAt) / 1000)
      this.log(` ${module.project.name}: ${kind.files} files, ${kind.tests} tests, ${seconds} s`)
      // One kind starts when the one before has ended.
      this.#kindStartedAt = performance.now()
    } else if (this.isTTY) {
      const failed = this.#failed === 0 ? '' : `, ${this.#failed} failed`
      process.stdout.write(`\r\x1b[K ${module.project.name}: ${kind.files - kind.left} of ${kind.files} files${failed}`)
    }
  }

  #clearProgress(): void {
    if (this.isTTY) process.stdout.write('\r\x1b[K')
  }

  /** Each file that lacks a program writes a note; the summary has each note once. */
  #collectNotes(): void {
    const write = process.stderr.write.bind(process.stderr)
    process.stderr.write = (chunk: string | Uint8Array, ...rest: never[]) => {
      const text = typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString()
      for (const [, note = ''] of text.matchAll(skipNote)) this.#notes.add(note)
      const remaining = text.replaceAll(skipNote, '')
      return remaining === text || remaining.trim() !== '' ? write(remaining, ...rest) : true
    }
  }

  #record(modules: readonly TestModule[], unhandledErrors: number, reason: TestRunEndReason): void {
    if (reason === 'interrupted') return
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const count = (state: string) => tests.filter((test) => test.result().state === state).length
    // These failed before any of their tests could.
    const broken = modules.filter(
      (module) => module.state() === 'failed' && [...module.children.allTests('failed')].length === 0,
    )
    const failed = count('failed') + broken.length + unhandledErrors
    recordRun({ passed: count('passed'), failed, files: this.#times })
  }
}
