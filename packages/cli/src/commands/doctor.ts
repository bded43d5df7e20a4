import { Command } from 'commander'

interface DoctorOptions {
  readonly providers?: true
  readonly security?: true
  readonly json?: true
}

export function doctorCommand(): Command {
  return new Command('doctor')
    .description('check what the service needs, and say what to do')
    .option('--providers', 'also call each provider once, which checks its API key and is free')
    .option('--security', 'print the security checklist, with what is done and what is open')
    .option('--json', 'print the findings as JSON')
    .action(async ({ providers, security, json }: DoctorOptions) => {
      if (security) return printChecklist(json === true)
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

/** Ends with 1 while a row is open, so that a deployment can require the checklist. */
async function printChecklist(asJson: boolean): Promise<void> {
  const { securityChecklist } = await import('@fairlead/server/security-checklist')
  const { issues, items } = await securityChecklist({ environment: process.env, folder: process.cwd() })
  if (issues.length > 0 || items.some(({ status }) => status === 'open')) process.exitCode = 1
  if (asJson) return console.log(JSON.stringify(items, null, 2))
  for (const issue of issues) console.log(`fail     configuration: ${issue}`)
  for (const { status, check, advice } of items) {
    console.log(`${status.padEnd(7)}  ${check}${status === 'done' ? '' : `: ${advice}`}`)
  }
}
