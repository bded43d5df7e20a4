import { writeFileSync } from 'node:fs'
import { basename, extname } from 'node:path'
import { Command } from 'commander'
import { CommandError } from '../command-error.ts'
import type { Imported } from '../import/imported.ts'

interface ImportOptions {
  readonly output?: string
  readonly json?: true
}

interface PortkeyCommandOptions extends ImportOptions {
  readonly model?: string
  readonly name?: string
  readonly virtualKey: readonly string[]
}

export function importCommand(): Command {
  const command = new Command('import').description('translate the configuration of another gateway')
  withOutput(
    command
      .command('litellm <file>')
      .description('translate the config.yaml of the LiteLLM proxy, and list what it leaves out'),
  ).action(async (file: string, options: ImportOptions) => {
    const [{ readDocument }, { litellmDocument }, { fromLitellm }] = await Promise.all([
      import('../import/read-document.ts'),
      import('../import/litellm-fields.ts'),
      import('../import/litellm.ts'),
    ])
    await write(fromLitellm(readDocument(file, litellmDocument)), options)
  })
  withOutput(
    command
      .command('portkey <file>')
      .description('translate a Portkey config, in JSON, to a route, and list what it leaves out')
      .option('--model <id>', 'the model that clients send, for targets without one')
      .option('--name <id>', 'name of the route (default: the model, or the name of the file)')
      .option(
        '--virtual-key <key=provider>',
        'provider of a virtual key, such as main=openai; repeatable',
        collect,
        [],
      ),
  ).action(async (file: string, { model, name, virtualKey, ...options }: PortkeyCommandOptions) => {
    const [{ readDocument }, { portkeyDocument, withSnakeCase }, { fromPortkey }] = await Promise.all([
      import('../import/read-document.ts'),
      import('../import/portkey-fields.ts'),
      import('../import/portkey.ts'),
    ])
    const document = readDocument(file, portkeyDocument, withSnakeCase)
    const virtualKeys = new Map(virtualKey.map(readVirtualKey))
    const route = name ?? model ?? basename(file, extname(file))
    await write(fromPortkey(document, { name: route, model, virtualKeys }), options)
  })
  return command
}

function withOutput(command: Command): Command {
  return command
    .option('-o, --output <file>', 'file to write, such as fairlead.config.ts or .json (default: standard output)')
    .option('--json', 'print JSON: the configuration, and the notes')
}

function collect(value: string, values: readonly string[]): readonly string[] {
  return [...values, value]
}

function readVirtualKey(option: string): readonly [string, string] {
  const [key = '', provider = ''] = option.split('=')
  if (!key || !provider)
    throw new CommandError(`--virtual-key must be a key and its provider, such as main=openai, but is ${option}`)
  return [key, provider]
}

/** Notes go to standard error, so that standard output can become the file. */
async function write({ config, notes }: Imported, { output, json }: ImportOptions): Promise<void> {
  const lines = notes.lines()
  if (config.providers.length === 0) {
    throw new CommandError(['Nothing could be imported:', ...lines.map((line) => `note  ${line}`)].join('\n'))
  }
  const { toJson, toTypeScript } = await import('../import/imported.ts')
  if (output !== undefined) {
    if (!['.ts', '.js', '.mjs', '.json'].includes(extname(output))) {
      throw new CommandError(`--output must end in .ts, .js, .mjs or .json, but is ${output}`)
    }
    writeNew(output, extname(output) === '.json' ? toJson(config) : toTypeScript(config))
  }
  if (json) return console.log(JSON.stringify({ config, notes: lines }, null, 2))
  if (output === undefined) process.stdout.write(toTypeScript(config))
  for (const line of lines) console.error(`note  ${line}`)
  if (output !== undefined) console.log(`Wrote ${output}. Check it with "fairlead config check".`)
}

function writeNew(path: string, text: string): void {
  try {
    writeFileSync(path, text, { flag: 'wx' })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') throw new CommandError(`${path} exists already. Move it away, or choose another --output.`)
    throw new CommandError(`${path} cannot be written: ${code}`)
  }
}
