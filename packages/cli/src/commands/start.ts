import { nodeArguments } from '@fairlead/server/launch'
import { Command } from 'commander'
import { becomeNode, followParent } from '../become-node.ts'

/** By option, the variable that it sets. */
const variables = {
  port: 'PORT',
  host: 'HOST',
  data: 'FAIRLEAD_DATA_DIR',
  config: 'FAIRLEAD_CONFIG',
  demo: 'FAIRLEAD_DEMO',
} as const

export function startCommand(): Command {
  return new Command('start')
    .description('start the service')
    .option('-p, --port <number>', 'port to listen on (PORT, default 8080)')
    .option('--host <address>', 'address to listen on (HOST, default 127.0.0.1)')
    .option('--data <folder>', 'data folder (FAIRLEAD_DATA_DIR, default ./data)')
    .option('-c, --config <file>', 'configuration file (FAIRLEAD_CONFIG)')
    .option('--demo', 'let embedded models answer as gpt-*, claude-*, and gemini-* (FAIRLEAD_DEMO=on)')
    .allowExcessArguments(false)
    .action((options: Partial<Record<keyof typeof variables, string | true>>) => {
      const set = Object.entries(options).map(([option, value]) => [
        variables[option as keyof typeof variables],
        value === true ? 'on' : value,
      ])
      becomeNode([...preload(), ...nodeArguments], { ...process.env, ...Object.fromEntries(set) })
    })
}

/** npm and npx start a command through a shell, which forwards no signal: the service has to notice that they ended. */
function preload(): readonly string[] {
  const startedByPackageManager = process.env['npm_config_user_agent'] !== undefined
  return startedByPackageManager ? [`--import=${followParent}`] : []
}
