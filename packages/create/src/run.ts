import { once } from 'node:events'
import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'
import type { Template } from './template.ts'
import { writeProject } from './write-project.ts'

/** The parts of `process` that a command uses. */
export type Surroundings = Pick<NodeJS.Process, 'stdin' | 'stdout' | 'cwd'>

/**
 * Runs `npm create <command> <name>`: writes the project, and prints the next steps. Without a name, asks for it on a
 * terminal. Sets the exit code 1, after one message, if it fails.
 */
export async function run(template: Template, args: readonly string[]): Promise<void> {
  try {
    await create(template, args, process)
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`)
    process.exitCode = 1
  }
}

/** Rejects with the reason if there is no project to make. */
export async function create(template: Template, args: readonly string[], surroundings: Surroundings): Promise<void> {
  const usage = `npm create ${template.command} ${template.example}`
  const { help, names } = readArguments(args, usage)
  if (help) return void surroundings.stdout.write(`${usage}\n\nMakes ${template.summary} in a new folder.\n`)
  const name = names[0] ?? (await ask(`Name (such as ${template.example}): `, surroundings))
  if (!name) throw new Error(`Give the project a name: ${usage}`)
  checkName(name)
  writeProject(template, name, surroundings.cwd())
  const packageName = template.packageName(name)
  const steps = [`cd ${packageName}`, 'npm install', 'npm test'].map((step) => `  ${step}\n`).join('')
  const changes = template.nextSteps.map((step) => `- ${template.rename(step, name)}\n`).join('')
  surroundings.stdout.write(
    `Created ${packageName}. Install its packages and run its tests:\n\n${steps}\nThen:\n\n${changes}`,
  )
}

function readArguments(args: readonly string[], usage: string) {
  const options = { help: { type: 'boolean', short: 'h', default: false } } as const
  const { values, positionals, tokens } = parseArgs({
    args: [...args],
    options,
    allowPositionals: true,
    strict: false,
    tokens: true,
  })
  const unknown = tokens.find((token) => token.kind === 'option' && token.name !== 'help')
  if (unknown?.kind === 'option') throw new Error(`Unknown option ${unknown.rawName}. Usage: ${usage}`)
  if (positionals.length > 1) throw new Error(`Give the project one name, without spaces: ${usage}`)
  return { help: values.help, names: positionals }
}

/** The answer, or undefined without a terminal or if the user closes the question. */
async function ask(question: string, { stdin, stdout }: Surroundings): Promise<string | undefined> {
  if (!stdin.isTTY) return undefined
  const lines = createInterface({ input: stdin, output: stdout })
  const controller = new AbortController()
  const closed = once(lines, 'close', { signal: controller.signal }).then(
    () => undefined,
    () => undefined,
  )
  try {
    return (await Promise.race([lines.question(question), closed]))?.trim()
  } catch {
    // Ctrl-C rejects the question.
    return undefined
  } finally {
    controller.abort()
    lines.close()
  }
}

function checkName(name: string): void {
  if (/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name) && name.length <= 100) return
  throw new Error(
    `The name must have lower-case letters, digits, and single dashes, and start with a letter, but is ${JSON.stringify(name)}`,
  )
}
