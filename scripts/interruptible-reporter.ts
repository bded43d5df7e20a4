import { DefaultReporter, type Vitest } from 'vitest/node'

/** The reporter of vitest, which also prints its summary when Ctrl-C ends the run. */
export class InterruptibleReporter extends DefaultReporter {
  override onInit(vitest: Vitest): void {
    super.onInit(vitest)
    process.once('SIGINT', () => {
      const files = vitest.state.getTestModules()
      const running = files.filter((file) => ['pending', 'queued'].includes(file.state()))
      this.onTestRunEnd(files, vitest.state.getUnhandledErrors() as never, 'interrupted')
      this.log(`Interrupted. Files still running: ${running.map((file) => file.relativeModuleId).join(', ') || 'none'}`)
      // Waiting for the tests would take as long as they do.
      process.exit(130)
    })
  }
}
