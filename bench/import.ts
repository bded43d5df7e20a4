// npm run bench:import -- [rounds]: how long it takes to import Fairlead and other libraries, and until the first answer of a
// server on this machine, each in new processes, and how large they are. Installs all of them into a temporary folder.
import { spawnSync } from 'node:child_process'
import { globSync, lstatSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { aiSdk, fairlead, type FirstAnswer, type Library, timeFirstAnswers } from '../scripts/packed/first-answer.ts'
import { median } from './median.ts'

const [rounds = 11] = process.argv.slice(2).map(Number)

const libraries = {
  Fairlead: fairlead,
  'AI SDK': aiSdk,
  LangChain: {
    imports: ['@langchain/openai'],
    ask: `const model = new one.ChatOpenAI({ model: 'gpt-4o', apiKey: 'sk-1', configuration: { baseURL: url } })
const { content: text } = await model.invoke('Hi')`,
  },
  'llm-exe': {
    imports: ['llm-exe'],
    // It always asks api.openai.com.
    ask: `const { fetch } = globalThis
globalThis.fetch = (_, options) => fetch(url + '/chat/completions', options)
const llm = one.useLlm('openai.chat.v1', { model: 'gpt-4o', openAiApiKey: 'sk-1' })
const prompt = one.createChatPrompt('Hi')
const text = await one.createLlmExecutor({ llm, prompt, parser: one.createParser('string') }).execute({})`,
  },
} satisfies Record<string, Library>

const packages = {
  'AI SDK': ['ai@7.0.173', '@ai-sdk/openai@4.0.118', 'zod@4.6.7'],
  LangChain: ['@langchain/core@1.4.0', '@langchain/openai@1.6.0'],
  'llm-exe': ['llm-exe@3.0.4'],
} satisfies Partial<Record<keyof typeof libraries, readonly string[]>>

const world = mkdtempSync(join(tmpdir(), 'fairlead-import-'))
try {
  const tarballs = join(world, 'packed')
  run(process.execPath, ['scripts/pack.ts', tarballs, '@fairlead/core', '@fairlead/provider-openai-compatible'], '.')
  const wanted = { Fairlead: [...globSync(`${tarballs}/*.tgz`), 'zod@4.6.7'], ...packages }
  const all: Partial<Record<string, readonly FirstAnswer[]>> = {}
  for (const [name, names] of Object.entries(wanted)) install(join(world, name), names)
  for (let round = 0; round < rounds; round++) {
    for (const [name, library] of Object.entries(libraries)) {
      const { [name]: times = [] } = await timeFirstAnswers(join(world, name), { [name]: library }, 1)
      all[name] = [...(all[name] ?? []), ...times]
    }
  }
  console.log('                import   first answer   installed')
  for (const [name, times = []] of Object.entries(all)) {
    const importing = median(times.map((time) => time.importing))
    const answered = median(times.map((time) => time.answered))
    const files = globSync('node_modules/**/*', { cwd: join(world, name) }).map((path) =>
      lstatSync(join(world, name, path)),
    )
    const bytes = files.reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0)
    const size = `${(bytes / 1e6).toFixed(1)} MB, ${files.filter((file) => file.isFile()).length} files`
    console.log(
      `${name.padEnd(14)} ${importing.toFixed(0).padStart(4)} ms        ${answered.toFixed(0).padStart(4)} ms   ${size}`,
    )
  }
} finally {
  rmSync(world, { recursive: true })
}

function install(folder: string, names: readonly string[]): void {
  run('mkdir', ['-p', folder], '.')
  writeFileSync(join(folder, 'package.json'), '{"private":true}')
  run(
    'npm',
    ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error', ...names],
    folder,
  )
}

function run(command: string, args: readonly string[], cwd: string): void {
  const { status, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' })
  if (status !== 0) throw new Error(`failed: ${command} ${args.join(' ')}\n${stderr}`)
}
