import { Command } from 'commander'

export function configCommand(): Command {
  const config = new Command('config').description('check the configuration')
  config
    .command('check')
    .description('check the environment and the configuration file, and list the providers that would load')
    .option('--json', 'print the result as JSON')
    .action(async ({ json }: { readonly json?: true }) => {
      const { checkConfig } = await import('@fairlead/server/check-config')
      const { issues, warnings, providers, file } = await checkConfig(process.env, process.cwd())
      const ofProviders = providers.flatMap((provider) => provider.issues)
      if (issues.length + ofProviders.length > 0) process.exitCode = 1
      if (json) return console.log(JSON.stringify({ issues, warnings, providers, file: file ?? null }, null, 2))
      for (const issue of [...issues, ...ofProviders]) console.error(`fail  ${issue}`)
      for (const warning of warnings) console.log(`warn  ${warning}`)
      if (issues.length > 0) return
      console.log(`ok    ${file ? `the environment and ${file}` : 'the environment; there is no configuration file'}`)
      for (const { name, reason } of providers.filter((provider) => provider.issues.length === 0))
        console.log(`ok    provider ${name} (${reason})`)
    })
  return config
}
