import { type Feature, FairleadError, write, defineFeature } from '@fairlead/core'
import * as z from 'zod'
import { ConfigError } from '../config-error.ts'
import type { Reload } from './create-reload.ts'
import { type FollowOptions, followReloads, followWithinMs, requestFromAll } from './follow-reloads.ts'

const changedIds = (things: string) =>
  z.object({
    added: z.array(z.string()).describe(`Ids of ${things} that were added.`),
    removed: z.array(z.string()).describe(`Ids of ${things} that were removed.`),
    changed: z.array(z.string()).describe(`Ids of ${things} whose options changed.`),
  })

const report = z.object({
  providers: changedIds('providers').describe('The providers that changed, also if only their API key did.'),
  routes: changedIds('routes').describe('The routes that changed.'),
  needsRestart: z
    .array(z.string())
    .describe('Environment variables and fields of the configuration file with another value that needs a restart.'),
  processes: z.int().describe('The number of processes of this node that use the new configuration.'),
  otherNodesWithinSeconds: z
    .int()
    .describe('Other nodes on the same database reload within so many seconds. Each logs whether it could.'),
})

/** `POST /admin/reload`. @param onReloaded see `followReloads` */
export function administration(reload: Reload, onReloaded: FollowOptions['onReloaded'] = () => {}): Feature {
  return defineFeature({
    name: 'administration',
    setUp: ({ stores, clock }) => ({ startJob: () => followReloads({ stores, clock, reload, onReloaded }) }),
    operations: {
      reloadConfiguration: write({
        name: 'reloadConfiguration',
        summary:
          'Reads the configuration file and the secrets in files again on every node, and replaces providers and routes if everything is valid.',
        access: { scope: 'admin', role: 'admin' },
        metered: false,
        rest: { method: 'POST', path: '/admin/reload' },
        input: z.strictObject({}),
        output: report,
        async prepare(_services, { requestId, caller, at }) {
          try {
            // The service itself calls it for the signal.
            if (caller.kind === 'embedded') return await reload({ trigger: 'SIGHUP' })
            return await reload({ trigger: 'POST /admin/reload', requestId, at })
          } catch (error) {
            if (error instanceof ConfigError) throw invalid(error)
            throw error
          }
        },
        async apply(tx, call, done) {
          const { providers, routes, needsRestart } = done
          call.audit({ target: { type: 'configuration', id: null }, after: { providers, routes, needsRestart } })
          if (call.caller.kind !== 'embedded') {
            const at = await requestFromAll(tx, call.at)
            if (at === call.at) onReloaded(at)
          }
          return { ...done, otherNodesWithinSeconds: followWithinMs / 1_000 } as z.output<typeof report>
        },
      }),
    },
    scopes: { admin: 'Reload the configuration of the service, as an admin.' },
    sections: [{ name: 'Administration', description: 'The service itself.', segments: ['admin'] }],
  })
}

/** Each line of the error is one issue. */
function invalid({ message }: ConfigError): FairleadError {
  const issues = message.split('\n').map((line) => ({ field: null, issue: `found an invalid configuration: ${line}` }))
  return new FairleadError('INVALID_REQUEST', message, { issues })
}
