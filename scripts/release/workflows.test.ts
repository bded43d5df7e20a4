import { globSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'

interface Workflow {
  readonly on: Readonly<Record<string, unknown>>
  readonly permissions: unknown
  readonly jobs: Readonly<Record<string, Job>>
}

interface Job {
  readonly uses?: string
  readonly needs?: string | readonly string[]
  readonly if?: string
  readonly environment?: string
  readonly permissions?: Readonly<Record<string, string>>
  readonly steps?: readonly Step[]
}

interface Step {
  readonly run?: string
  readonly uses?: string
}

const workflows = new Map(
  globSync('.github/workflows/*.yml').map((file) => [
    file.slice('.github/workflows/'.length),
    readFileSync(file, 'utf8'),
  ]),
)

describe('the release workflow', () => {
  const { on, jobs } = readWorkflow('release.yml')
  const others = Object.keys(jobs).filter((name) => name !== 'ci')

  test('a commit is released only by a push to main', () => {
    expect(on).toEqual({ push: { branches: ['main'] } })
  })

  test.each(others)('the job "%s" runs only after .ci/run has passed on the same commit', (name) => {
    expect(jobs['ci']?.uses).toBe('./.github/workflows/ci.yml')
    expect(findNeeds(jobs, name)).toContain('ci')
  })

  test('no job replaces the condition that the jobs before it have succeeded', () => {
    const conditions = Object.values(jobs).map((job) => job.if ?? '')
    expect(conditions.filter((condition) => /always|failure|cancelled/.test(condition))).toEqual([])
  })

  test('one job, in the environment "npm", has the identity that npm trusts', () => {
    const trusted = Object.entries(jobs).filter(([, job]) => job.permissions?.['id-token'] === 'write')
    expect(trusted.map(([name, job]) => [name, job.environment])).toEqual([['publish', 'npm']])
  })

  test('packages are published once their dependencies have no open advisory', () => {
    const runs = (jobs['publish']?.steps ?? []).flatMap(({ run }) => run ?? [])
    expect(runs).toEqual(['npm run audit -- --strict', 'npm run build', 'npm run release -- publish'])
  })
})

describe('workflows', () => {
  test('an image is made by a release, or by hand for the tag of one', () => {
    const { jobs } = readWorkflow('image.yml')
    expect(jobs['build']?.if).toContain("(github.event_name == 'push' || startsWith(github.ref, 'refs/tags/v'))")
    expect(jobs['publish']?.needs).toBe('build')
  })

  test('the CI workflow can be called, and runs all of .ci/run, whose failure is its own', () => {
    const { on, jobs } = readWorkflow('ci.yml')
    expect(on).toHaveProperty('workflow_call')
    expect(Object.values(jobs).map(({ steps = [] }) => steps.at(-1))).toEqual([{ run: '.ci/run' }])
    expect(workflows.get('ci.yml')).not.toContain('continue-on-error')
  })

  test.each([...workflows.keys()])('%s has no permissions unless a job asks for them', (file) => {
    expect(readWorkflow(file).permissions).toEqual({ contents: 'read' })
  })

  test.each([...workflows.keys()])('%s names the commit of each action', (file) => {
    const { jobs } = readWorkflow(file)
    const actions = Object.values(jobs).flatMap((job) => [job, ...(job.steps ?? [])].flatMap(({ uses }) => uses ?? []))
    expect(actions.filter((action) => !/^\.\/|@[0-9a-f]{40}$/.test(action))).toEqual([])
  })
})

function readWorkflow(file: string): Workflow {
  return parse(workflows.get(file) ?? '') as Workflow
}

/** The jobs that must have succeeded before `name` starts. */
function findNeeds(jobs: Workflow['jobs'], name: string): readonly string[] {
  const needs = [jobs[name]?.needs ?? []].flat()
  return [...needs, ...needs.flatMap((each) => findNeeds(jobs, each))]
}
