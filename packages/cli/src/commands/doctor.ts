import { Command } from 'commander'

export function doctorCommand(): Command {
  return new Command('doctor')
    .description('check what the service needs, and say what to do')
    .option('--providers', 'also call each provider once, which checks its API key and is free')
    .option('--json', 'print the findings as JSON')
    .action(async ({ providers, json }: { readonly providers?: true; readonly json?: true }) => {
      const { diagnose } = await import('@fairlead/server/diagnose')
      const findings = []
      const options = { environment: process.env, folder: process.cwd(), callProviders: providers === true }
      for await (const finding of diagnose(options)) {
        const { check, status, message } = finding
        if (status === 'fail') process.exitCode = 1
        if (json) findings.push(finding)
        else console.log(`${status.padEnd(4)}  ${check}: ${message}`)
      }
      if (json) console.log(JSON.stringify(findings, null, 2))
    })
}
