import { createHash } from 'node:crypto'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { lastRun } from './test-times.ts'

/** A file that no run has recorded starts among the slow ones. */
const unknownSeconds = 10

/**
 * Runs files in an order that the seed decides, except that slow ones start first: a slow file that starts last runs alone.
 * Unit tests are all fast.
 */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const times = lastRun()?.files ?? {}
    const { root, sequence } = this.ctx.config
    const random = ({ moduleId }: TestSpecification) =>
      createHash('sha1').update(`${sequence.seed} ${moduleId}`).digest('hex')
    const steps = ({ project, moduleId }: TestSpecification) => {
      if (project.name === 'unit') return 0
      // In steps of 5 s, within which the order is random.
      return Math.round((times[moduleId.slice(root.length + 1)]?.seconds ?? unknownSeconds) / 5)
    }
    const shuffled = files.map((file) => ({ file, key: random(file) })).toSorted((a, b) => (a.key < b.key ? -1 : 1))
    return shuffled.map(({ file }) => file).toSorted((a, b) => steps(b) - steps(a))
  }
}
